/** What each check's last result was, of those that ran last: checks come and go for as long as the server runs. */
export class LastStatuses {
  private readonly most: number;
  /** The one that ran longest ago first. */
  private readonly known = new Map<string, boolean>();

  /** `most`: so many checks are remembered. */
  constructor(most: number) {
    this.most = most;
  }

  /** Takes a result, and answers whether it says what the check's last one said. */
  isRepeat(checkId: string, status: boolean): boolean {
    const isSame = this.known.get(checkId) === status;
    this.known.delete(checkId);
    this.known.set(checkId, status);
    const [oldest] = this.known.keys();
    if (this.known.size > this.most && oldest !== undefined) this.known.delete(oldest);
    return isSame;
  }
}
