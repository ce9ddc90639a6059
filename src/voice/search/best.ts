// The best few of many, in descending order.
export class Best {
  readonly limit: number;
  readonly values: number[] = [];
  readonly rows: number[] = [];
  constructor(limit: number) {
    this.limit = limit;
  }
  get worst(): number {
    return this.values.length < this.limit ? -Infinity : (this.values[this.values.length - 1] as number);
  }
  offer(value: number, row: number): void {
    if (value <= this.worst) return;
    let low = 0;
    let high = this.values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.values[middle] as number) >= value) low = middle + 1;
      else high = middle;
    }
    this.values.splice(low, 0, value);
    this.rows.splice(low, 0, row);
    if (this.values.length > this.limit) {
      this.values.pop();
      this.rows.pop();
    }
  }
}
