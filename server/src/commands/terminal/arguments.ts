import { ApiError, OperatorError } from "@beatmarket/foundation/errors.ts";
import { InvalidArgumentError } from "commander";
import { type EventType, eventTypes, isEventType } from "../../resources/webhooks/events/event-types.ts";

/** Wraps a parser so that commander reports its error with the option's name and exit status 1. */
export function reading<Value>(read: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof ApiError) throw new InvalidArgumentError(error.details);
      if (error instanceof OperatorError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

export function readId(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id)) throw new OperatorError("An id is a whole number.");
  return id;
}

export function readEventTypes(text: string): EventType[] {
  const types = text.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !isEventType(type));
  if (unknown !== undefined)
    throw new OperatorError(`"${unknown}" is no event type; there are ${eventTypes.join(", ")}.`);
  return types.filter(isEventType);
}
