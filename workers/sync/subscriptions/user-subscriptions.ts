/** Subscriptions of the pages to data of whoever is signed in; each is opened again when that changes. */
import type { Stop } from '../api.ts';

/** One for the worker; it outlives each user. */
export class UserSubscriptions<User> {
  private readonly subscriptions = new Set<(user: User | null) => void>();
  private user: User | null = null;

  /** Subscribes to data of whoever is signed in, now and after each change of user. */
  open(subscribe: (user: User) => Stop): Stop {
    let stop: Stop = () => {};
    const subscription = (user: User | null) => {
      stop();
      stop = user === null ? () => {} : subscribe(user);
    };
    this.subscriptions.add(subscription);
    subscription(this.user);
    return () => {
      this.subscriptions.delete(subscription);
      stop();
    };
  }

  setUser(user: User | null): void {
    this.user = user;
    for (const subscription of this.subscriptions) subscription(user);
  }
}
