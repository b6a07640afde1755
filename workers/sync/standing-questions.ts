/** Questions of the pages to whoever is signed in; each is put again when that changes. */
import type { Stop } from './api.ts';

export class StandingQuestions<User> {
  private readonly questions = new Set<(user: User | null) => void>();
  private user: User | null = null;

  /** Puts a question to whoever is signed in, now and after each change of user. */
  ask(put: (user: User) => Stop): Stop {
    let stop: Stop = () => {};
    const question = (user: User | null) => {
      stop();
      stop = user === null ? () => {} : put(user);
    };
    this.questions.add(question);
    question(this.user);
    return () => {
      this.questions.delete(question);
      stop();
    };
  }

  setUser(user: User | null): void {
    this.user = user;
    for (const question of this.questions) question(user);
  }
}
