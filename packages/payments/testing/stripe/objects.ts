import type Stripe from "stripe";

// Complete objects of Stripe's OpenAPI document. The types of the package `stripe` are generated from that document, so
// a field that Stripe adds is a type error here.

interface NewIds {
  id: string;
  /** Unix seconds. */
  created: number;
}

type NewIntent = Pick<Stripe.PaymentIntent, "amount" | "currency" | "description" | "metadata"> & {
  payment_method: string;
  allow_redirects: "always" | "never";
};

export const intentOf = ({ id, created }: NewIds, fields: NewIntent): Stripe.PaymentIntent => ({
  id,
  object: "payment_intent",
  allowed_payment_method_types: null,
  amount: fields.amount,
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: { enabled: true, allow_redirects: fields.allow_redirects },
  canceled_at: null,
  cancellation_reason: null,
  capture_method: "automatic_async",
  client_secret: `${id}_secret_test`,
  confirmation_method: "automatic",
  created,
  currency: fields.currency,
  customer: null,
  customer_account: null,
  description: fields.description,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: fields.metadata,
  next_action: null,
  on_behalf_of: null,
  payment_method: fields.payment_method,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: "requires_confirmation",
  transfer_group: null,
});

export const chargeOf = (
  { id, created }: NewIds,
  intent: Stripe.PaymentIntent,
  balance_transaction: string,
): Stripe.Charge => ({
  id,
  object: "charge",
  amount: intent.amount,
  amount_captured: intent.amount,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction,
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  calculated_statement_descriptor: null,
  captured: true,
  created,
  currency: intent.currency,
  customer: null,
  description: intent.description,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: null,
  livemode: false,
  metadata: intent.metadata,
  on_behalf_of: null,
  outcome: null,
  paid: true,
  payment_intent: intent.id,
  payment_method: String(intent.payment_method),
  payment_method_details: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: "succeeded",
  transfer_data: null,
  transfer_group: null,
});

export const refundOf = (
  { id, created }: NewIds,
  charge: Stripe.Charge,
  fields: { amount: number; status: string; metadata: Stripe.Metadata; balance_transaction: string },
): Stripe.Refund => ({
  id,
  object: "refund",
  created,
  charge: charge.id,
  currency: charge.currency,
  customer: null,
  customer_account: null,
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  reason: null,
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null,
  ...fields,
});

export const disputeOf = (
  { id, created }: NewIds,
  charge: Stripe.Charge,
  withdrawal: Stripe.BalanceTransaction,
): Stripe.Dispute => ({
  id,
  object: "dispute",
  amount: charge.amount,
  balance_transactions: [withdrawal],
  charge: charge.id,
  created,
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: {} as Stripe.Dispute.Evidence,
  evidence_details: {} as Stripe.Dispute.EvidenceDetails,
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  reason: "fraudulent",
  status: "needs_response",
});

export const transferOf = (
  { id, created }: NewIds,
  fields: Pick<Stripe.Transfer, "amount" | "currency" | "metadata" | "transfer_group"> & { destination: string },
): Stripe.Transfer => ({
  id,
  object: "transfer",
  amount_reversed: 0,
  balance_transaction: null,
  created,
  description: null,
  livemode: false,
  reversals: { object: "list", data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
  reversed: false,
  source_transaction: null,
  ...fields,
});

export const reversalOf = ({ id, created }: NewIds, transfer: Stripe.Transfer): Stripe.TransferReversal => ({
  id,
  object: "transfer_reversal",
  amount: transfer.amount,
  balance_transaction: null,
  created,
  currency: transfer.currency,
  destination_payment_refund: null,
  metadata: null,
  source_refund: null,
  transfer: transfer.id,
});

export const balanceTransactionOf = (
  { id, created }: NewIds,
  fields: Pick<Stripe.BalanceTransaction, "amount" | "currency" | "fee" | "reporting_category" | "type"> & {
    source: string;
  },
): Stripe.BalanceTransaction => ({
  id,
  object: "balance_transaction",
  available_on: created + 2 * 86_400,
  balance_type: "payments",
  created,
  description: null,
  exchange_rate: null,
  fee_details: [],
  net: fields.amount - fields.fee,
  status: "pending",
  ...fields,
});

export const methodOf = ({ id, created }: NewIds, customer: string | null): Stripe.PaymentMethod => ({
  id,
  object: "payment_method",
  billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
  created,
  customer,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: "card",
});
