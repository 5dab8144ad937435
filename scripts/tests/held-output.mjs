/**
 * What runs at the same time as a program that has the terminal prints into this: it is kept until `release`, then
 * printed at once.
 */
export class HeldOutput {
  #held = "";
  #isHeld = true;
  #write;

  /** @param {(text: string) => unknown} write */
  constructor(write = (text) => process.stdout.write(text)) {
    this.#write = write;
  }

  /** @param {string} text */
  print = (text) => {
    if (this.#isHeld) this.#held += text;
    else this.#write(text);
  };

  /** Prints what was kept, and from now on every text as it comes. */
  release() {
    this.#isHeld = false;
    this.#write(this.#held);
    this.#held = "";
  }
}
