/** An error in Stripe's form (https://docs.stripe.com/api/errors). */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> };
  /** Whether the error is stored under the idempotency key. False if the request was refused before it began. */
  readonly isStored: boolean;

  constructor(status: number, error: Record<string, unknown>, { isStored = true } = {}) {
    super(String(error.message));
    this.status = status;
    this.body = { error };
    this.isStored = isStored;
  }
}

export const invalid = (message: string, more: Record<string, unknown> = {}): StripeFault =>
  new StripeFault(400, { type: "invalid_request_error", message, ...more });

export const missing = (noun: string, id: string, param: string): StripeFault =>
  new StripeFault(404, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${noun}: '${id}'`,
    param,
  });
