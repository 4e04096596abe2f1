// A thing that changes at some events. To know it after any event takes a binary search, so a reader may jump anywhere.

export class History<T> {
  private readonly at: number[] = [];
  private readonly values: T[] = [];

  /** From event `at` on; events come in order. */
  set(at: number, value: T): void {
    if (this.at.at(-1) === at) {
      this.values[this.values.length - 1] = value;
      return;
    }
    this.at.push(at);
    this.values.push(value);
  }

  /** After event `at`. */
  get(at: number): T | undefined {
    return this.values[this.before(at + 1) - 1];
  }

  /** All values up to event `at`, in order. */
  until(at: number): T[] {
    return this.values.slice(0, this.before(at + 1));
  }

  last(): T | undefined {
    return this.values.at(-1);
  }

  /** How many changes came before event `at`. */
  private before(at: number): number {
    let [low, high] = [0, this.at.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.at[middle] as number) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
