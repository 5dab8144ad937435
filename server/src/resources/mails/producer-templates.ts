import { sampleOrder, sampleReport, type Template } from "./facts.ts";

/** Mails to producers and their collaborators, by name. */
export const producerTemplates = {
  sold: {
    description: "To the producer, for each license that is sold.",
    sample: { ...sampleOrder, link: "https://beats.example/portal/sales" },
    isOptional: true,
  },
  "exclusive-sold": {
    description: "To the producer, when the exclusive license of a beat is sold.",
    sample: { ...sampleOrder, license: "exclusive", link: "https://beats.example/portal/sales" },
  },
  "refunded-sale": {
    description: "To the producer, when a sale was refunded in full or in part.",
    sample: { ...sampleOrder, refunded: sampleOrder.amount, outcome: { text: "mail.buyerEnded" } },
  },
  "not-published": {
    description: "To the producer, when a beat could not be published at its scheduled time.",
    sample: {
      beat: "7",
      title: sampleOrder.title,
      at: sampleOrder.at,
      reason: "The audio was rejected: The file is silent.",
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "taken-down": {
    description: "To the producer, when an operator takes a beat down.",
    sample: {
      beat: "7",
      title: sampleOrder.title,
      reason: "The sample of the hook was not cleared.",
      outcome: { text: "mail.buyersKeep" },
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  restored: {
    description: "To the producer, when a takedown ends.",
    sample: {
      beat: "7",
      title: sampleOrder.title,
      reason: "The sample is cleared.",
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "report-notice": {
    description: "To the producer: the notice of a report.",
    sample: {
      ...sampleReport,
      until: { moment: "2026-12-10T12:00:00Z" },
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "report-upheld-producer": {
    description: "To the producer, when a report is upheld after a notice.",
    sample: {
      ...sampleReport,
      decision: "The hook is the one of the record that was named.",
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "report-rejected-producer": {
    description: "To the producer, when a report is rejected after a notice.",
    sample: {
      ...sampleReport,
      decision: "The session of the recording shows that it is yours.",
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "split-offered": {
    description: "To a collaborator, when a producer offers a share of a beat's sales.",
    sample: {
      producer: "Nightowl",
      title: sampleOrder.title,
      part: { basisPoints: 2_500 },
      link: "https://beats.example/portal/earnings",
    },
  },
  "payout-sent": {
    description: "To the producer, when a payout was sent.",
    sample: {
      payout: "77",
      amount: { cents: 41_250, currency: "EUR" },
      account: { text: "mail.toAccount", values: { iban: "DE89 … 3000" } },
      link: "https://beats.example/portal/earnings",
    },
  },
  "payout-failed": {
    description: "To the producer, when a payout did not arrive.",
    sample: {
      payout: "77",
      amount: { cents: 41_250, currency: "EUR" },
      account: { text: "mail.toAccount", values: { iban: "DE89 … 3000" } },
      reason: "Account closed",
      link: "https://beats.example/portal/earnings",
    },
  },
  "refund-requested": {
    description: "To the producer, when a buyer asks for the money back.",
    sample: {
      order: sampleOrder.order,
      title: sampleOrder.title,
      amount: sampleOrder.amount,
      reason: { text: "refund.files" },
      message: "The WAV ends after ten seconds.",
      link: "https://beats.example/portal/sales/orders/1042",
    },
  },
  "message-to-producer": {
    description: "To the producer, when a buyer writes.",
    sample: {
      order: sampleOrder.order,
      title: sampleOrder.title,
      message: "Could you send me the lyrics sheet?",
      link: "https://beats.example/portal/sales/orders/1042",
    },
  },
} as const satisfies Record<string, Template>;
