/** An array of numbers that grows as needed. */
export class Growing {
  values: Uint32Array = new Uint32Array(64);
  length = 0;

  static of(values: Uint32Array): Growing {
    const growing = new Growing();
    growing.values = values;
    growing.length = values.length;
    return growing;
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Uint32Array(2 * this.length + 64);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  insert(index: number, value: number): void {
    this.push(value);
    this.values.copyWithin(index + 1, index, this.length - 1);
    this.values[index] = value;
  }

  /** Returns 0 for an index that was never set. */
  at(index: number): number {
    return index < this.length ? (this.values[index] as number) : 0;
  }

  set(index: number, value: number): void {
    while (this.length <= index) this.push(0);
    this.values[index] = value;
  }
}
