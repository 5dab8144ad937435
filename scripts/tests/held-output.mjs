/**
 * The output of a task that runs at the same time as a program that uses the terminal. It holds the text until
 * `release`, then prints all of it.
 */
export class HeldOutput {
  #heldText = "";
  #isHeld = true;
  #write;

  /** @param {(text: string) => unknown} write */
  constructor(write = (text) => process.stdout.write(text)) {
    this.#write = write;
  }

  /** @param {string} text */
  print = (text) => {
    if (this.#isHeld) this.#heldText += text;
    else this.#write(text);
  };

  /** Prints the held text, and from now on every text immediately. */
  release() {
    this.#isHeld = false;
    this.#write(this.#heldText);
    this.#heldText = "";
  }
}
