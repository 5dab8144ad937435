import { BeatMarketError } from "./errors.ts";
import { events, type RecordedOperation, type RecordedResponse, responses } from "./generated/fixtures.ts";
import type { EventType } from "./generated/models.ts";

export type { RecordedOperation, RecordedResponse };

/**
 * Returns the recorded body of a successful response, such as of `getBeat`. Each call returns a copy, which a test can
 * change. Throws a BeatMarketError for an operation without a recorded body.
 */
export function response(operation: RecordedOperation): RecordedResponse {
  return structuredClone(exampleOf(responses, operation));
}

/**
 * Returns the body of a delivery, such as of `beat.purchased`, for `webhooks.sign`. Throws a BeatMarketError for an
 * unknown type.
 */
export function event(type: EventType): string {
  return JSON.stringify(exampleOf(events, type));
}

function exampleOf<Example>(examples: Readonly<Record<string, Example>>, name: string): Example {
  const example = Object.hasOwn(examples, name) ? examples[name] : undefined;
  if (example === undefined) throw new BeatMarketError(`There is no example of ${name}.`);
  return example;
}
