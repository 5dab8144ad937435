import type Stripe from "stripe";
import { invalid, missing } from "./errors.ts";
import { metadataOf } from "./fields.ts";
import { reversalOf, transferOf } from "./objects.ts";

interface TransfersParts {
  newIds(prefix: string): { id: string; created: number };
  emit(type: string, object: object): void;
}

/** Transfers of an account to connected accounts. Amounts are in cents. */
export class Transfers {
  readonly all = new Map<string, Stripe.Transfer>();
  /** Connected accounts that no longer exist. */
  readonly closed = new Set<string>();
  /** The balance that can be transferred. Payments do not change it. */
  availableCents = 100_000_000;
  readonly #parts: TransfersParts;

  constructor(parts: TransfersParts) {
    this.#parts = parts;
  }

  create(fields: URLSearchParams): Stripe.Transfer {
    const destination = fields.get("destination") ?? "";
    const amount = Number(fields.get("amount"));
    if (this.closed.has(destination)) throw missing("destination", destination, "destination");
    if (amount > this.availableCents)
      throw invalid("You have insufficient available funds in your Stripe account.", { code: "balance_insufficient" });
    this.availableCents -= amount;
    const transfer = transferOf(this.#parts.newIds("tr"), {
      amount,
      currency: fields.get("currency") ?? "",
      destination,
      metadata: metadataOf(fields),
      transfer_group: fields.get("transfer_group"),
    });
    this.all.set(transfer.id, transfer);
    this.#parts.emit("transfer.created", transfer);
    return transfer;
  }

  /** Returns the whole amount of a transfer to the balance. */
  reverse(id: string): void {
    const transfer = this.all.get(id);
    if (transfer === undefined) throw missing("transfer", id, "id");
    if (transfer.reversed) throw invalid(`Transfer ${id} is already reversed.`, { param: "id" });
    this.availableCents += transfer.amount;
    transfer.reversals.data.push(reversalOf(this.#parts.newIds("trr"), transfer));
    Object.assign(transfer, { amount_reversed: transfer.amount, reversed: true });
    this.#parts.emit("transfer.reversed", transfer);
  }

  /** The sum of all transfers that were not reversed. */
  get transferredCents(): number {
    return this.all.values().reduce((sum, { amount, amount_reversed }) => sum + amount - amount_reversed, 0);
  }

  balance(): Stripe.Balance {
    const available = [{ amount: this.availableCents, currency: "usd", source_types: {} }];
    return { object: "balance", available, livemode: false, pending: [] };
  }
}
