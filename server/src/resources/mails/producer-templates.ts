import { order, reported } from "./sample-facts.ts";
import type { Template } from "./template.ts";

/** Mails to producers and their collaborators, by name. */
export const producerTemplates = {
  sold: {
    description: "To the producer, for each license that is sold.",
    text: `# You sold {title}: {amount}

On {at} somebody bought the {license} license of “{title}” for {amount}. It is order {order}.

Your sales are here:

{link}
`,
    sample: { ...order, link: "https://beats.example/portal/sales" },
    isOptional: true,
  },
  "exclusive-sold": {
    description: "To the producer, when the exclusive license of a beat is sold.",
    text: `# The exclusive license of {title} is sold: {amount}

On {at} somebody bought the exclusive license of “{title}” for {amount}. It is order {order}.

The beat is off sale from now on. Nothing of it can change, unless the order is refunded in full. Your sales are here:

{link}
`,
    sample: { ...order, license: "exclusive", link: "https://beats.example/portal/sales" },
  },
  "refunded-sale": {
    description: "To the producer, when money of a sale was paid back.",
    text: `# A refund of {title}: {refunded}

{refunded} of order {order} were paid back to the buyer by {at}, of {amount} for the {license} license of “{title}”. You are owed that much less.

{outcome}
`,
    sample: { ...order, refunded: "59.90 USD", outcome: "The license of the buyer has ended." },
  },
  "not-published": {
    description: "To the producer, when a beat could not be published at the moment that was set.",
    text: `# {title} was not published

Your beat “{title}” was to be published at {at}. It was not:

{reason}

Correct it, and publish it or set another moment:

{link}
`,
    sample: {
      ...{ beat: "7", title: order.title, at: "2026-11-26T12:00:00Z" },
      reason: "The audio was rejected: The file is silent.",
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "taken-down": {
    description: "To the producer, when an operator takes a beat down.",
    text: `# {title} was taken down

The operator of {site} took your beat “{title}” down:

{reason}

It is off sale and off every page. {outcome}

In the studio you can answer once. The operator reads it and decides:

{link}
`,
    sample: {
      ...{ beat: "7", title: order.title, reason: "The sample of the hook was not cleared." },
      ...{ outcome: "Those who bought a license keep it.", link: "https://beats.example/portal/studio/beats/7" },
    },
  },
  restored: {
    description: "To the producer, when a takedown ends.",
    text: `# {title} is back

The operator of {site} ended the takedown of your beat “{title}”:

{reason}

It is where it would be without the takedown: on sale, unless you took it off sale yourself or its exclusive license is sold.

{link}
`,
    sample: {
      ...{ beat: "7", title: order.title, reason: "The sample is cleared." },
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "report-notice": {
    description: "To the producer: the notice of a report.",
    text: `# Notice: your beat {title} was reported

Your beat “{title}” was reported to {site}: {reason}.

{message}

You can counter this once, until {until}. Without a counter-notice the operator may uphold the report and take the beat down. Say in the studio why you may sell it:

{link}
`,
    sample: { ...reported, until: "10 December 2026, 12:00 UTC", link: "https://beats.example/portal/studio/beats/7" },
  },
  "report-upheld-producer": {
    description: "To the producer, when a report is upheld after a notice.",
    text: `# A report of your beat {title} was upheld

Your beat “{title}” was reported to {site}: {reason}. The operator upholds the report, and the beat is taken down:

{decision}

{link}
`,
    sample: {
      ...{ ...reported, decision: "The hook is the one of the record that was named." },
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "report-rejected-producer": {
    description: "To the producer, when a report is rejected after a notice.",
    text: `# A report of your beat {title} was rejected

Your beat “{title}” was reported to {site}: {reason}. The operator rejects the report:

{decision}

{link}
`,
    sample: {
      ...{ ...reported, decision: "The session of the recording shows that it is yours." },
      link: "https://beats.example/portal/studio/beats/7",
    },
  },
  "split-offered": {
    description: "To a collaborator, when a producer offers a part of what a beat sells.",
    text: `# {producer} offers you {part} of {title}

{producer} shares the sales of “{title}” with you: {part} of each sale, after the commission of {site}.

Accept or decline it here. Nothing is shared before all collaborators have accepted. Without an account, register with this address first:

{link}
`,
    sample: {
      producer: "Nightowl",
      title: order.title,
      part: "25 %",
      link: "https://beats.example/portal/earnings",
    },
  },
  "payout-sent": {
    description: "To the producer, when money was sent to them.",
    text: `# {amount} are on their way to you

Payout {payout} of {amount} was sent to {account}. A bank takes one to three days.

What it is made of, and your statements, are here:

{link}
`,
    sample: {
      payout: "77",
      amount: "412.50 EUR",
      account: "the account DE89 … 3000",
      link: "https://beats.example/portal/earnings",
    },
  },
  "payout-failed": {
    description: "To the producer, when a payout did not arrive.",
    text: `# Your payout of {amount} did not arrive

Payout {payout} of {amount} to {account} failed. The reason: {reason}

The money is in your balance again. Nothing more is paid to these details. Correct them here, and the next payout includes it:

{link}
`,
    sample: {
      payout: "77",
      amount: "412.50 EUR",
      account: "the account DE89 … 3000",
      reason: "Account closed",
      link: "https://beats.example/portal/earnings",
    },
  },
  "refund-requested": {
    description: "To the producer, when a buyer asks for the money back.",
    text: `# A buyer of {title} asks for a refund

The buyer of order {order} asks for {amount} back. The reason: {reason}

{message}

An operator decides. You can write to the buyer here, and perhaps solve it:

{link}
`,
    sample: {
      ...{ order: order.order, title: order.title, amount: order.amount },
      reason: "The files are damaged or missing",
      message: "The WAV ends after ten seconds.",
      link: "https://beats.example/portal/sales/orders/1042",
    },
  },
  "message-to-producer": {
    description: "To the producer, when a buyer writes.",
    text: `# A buyer of {title} writes to you

The buyer of order {order} writes:

{message}

Answer here, and we mail your answer. Neither of you sees the address of the other. Replies to this mail do not reach the buyer:

{link}
`,
    sample: {
      ...{ order: order.order, title: order.title },
      message: "Could you send me the lyrics sheet?",
      link: "https://beats.example/portal/sales/orders/1042",
    },
  },
} as const satisfies Record<string, Template>;
