import { accountTemplates } from "./account-templates.ts";
import type { Template } from "./template.ts";

const link = "https://beats.example/library/1.mguq3c00.5Zk0t1vXQmJ8bN4yR7wD2eLh9uPfS6aGcTiVxEoKjMs";
const order = {
  order: "1042",
  title: "Midnight Lantern",
  license: "premium",
  amount: "59.90 USD",
  at: "26 November 2026 at 12:00 UTC",
};

const reported = {
  ...{ beat: "7", title: order.title, producer: "Nightowl", reason: "It has a sample that is not cleared" },
  message: "The hook is from my record of 2019, at 0:42.",
};

/** All mails, by name. An operator's folder may replace the text of each. */
export const templates = {
  ...accountTemplates,
  receipt: {
    description: "To the buyer, when a payment came through.",
    text: `# Your receipt from {site}

Thank you. Your payment of {total} came through on {at}.

{items}

Your files and license certificates are here:

{link}

Keep this mail as your receipt: order {orders}.
`,
    sample: {
      total: "94.80 USD",
      at: order.at,
      items: [
        "Midnight Lantern, by Nightowl: premium license, 59.90 USD",
        "Sunrise, by Lark: basic license, 34.90 USD",
      ],
      link,
      orders: "1042, 1043",
    },
  },
  library: {
    description: "To somebody who asks for the link to what was bought with an address.",
    text: `# Your files at {site}

Somebody, hopefully you, asked for the link to what was bought with this address. It works for 30 days, without a password:

{link}

If it was not you, there is nothing to do: nobody but you has this link.
`,
    sample: { link },
  },
  "no-orders": {
    description: "To the same, when nothing was bought with the address.",
    text: `# Nothing was bought with this address

Somebody, hopefully you, asked {site} for the link to what was bought with this address. Nothing was. Perhaps you used another one:

{link}

If it was not you, there is nothing to do.
`,
    sample: { link: "https://beats.example/library" },
  },
  "free-download": {
    description: "To somebody who asks for a free download, to confirm the address.",
    text: `# Your free download of {title}

Somebody, hopefully you, asked {site} for the tagged MP3 of “{title}” by {producer} with this address. Confirm it, and the file is yours:

{link}

If it was not you, there is nothing to do: nobody gets your address without that.
`,
    sample: {
      title: order.title,
      producer: "Nightowl",
      link: "https://beats.example/free-downloads/hPZ2v7mJqXc1LrT5sNfDaYk8wE3oGbUi",
    },
  },
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
  refund: {
    description: "To the buyer, when money of an order was paid back.",
    text: `# Your refund of {title}: {refunded}

{refunded} of order {order} were paid back by {at}, of {amount} for the {license} license of “{title}”. It takes your bank some days to show it.

{outcome}
`,
    sample: {
      ...order,
      refunded: "59.90 USD",
      outcome: "The license has ended. Its files can no longer be downloaded.",
    },
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
  "files-withdrawn": {
    description: "To each buyer of a beat that is taken down with its files.",
    text: `# The files of {title} were withdrawn

The operator of {site} took the beat “{title}” down, of which you bought a license with order {order}:

{reason}

Its files can no longer be downloaded. Your certificate is still in your library:

{link}

Reply to this mail about your money, or if you have published something with the beat.
`,
    sample: {
      ...{ beat: "7", title: order.title, order: order.order, reason: "The sample of the hook was not cleared." },
      link,
    },
  },
  "files-restored": {
    description: "To each buyer of a beat, when a takedown that withdrew its files ends.",
    text: `# The files of {title} are back

The operator of {site} ended the takedown of “{title}”, of which you bought a license with order {order}:

{reason}

You can download its files again:

{link}
`,
    sample: { beat: "7", title: order.title, order: order.order, reason: "The sample is cleared.", link },
  },
  "takedown-answered": {
    description: "To all operators, when a producer answers a takedown.",
    text: `# {producer} answers the takedown of {title}

You took “{title}”, beat {beat} by {producer}, down:

{reason}

The producer says:

{message}

Decide about it here:

{link}
`,
    sample: {
      ...{ beat: "7", title: order.title, producer: "Nightowl", reason: "The sample of the hook was not cleared." },
      message: "The hook is mine: I played it on my own guitar, and have the session.",
      link: "https://beats.example/portal/admin/beats?q=7",
    },
  },
  "report-received": {
    description: "To the address that reports a beat.",
    text: `# Your report of {title}

You reported the beat “{title}” by {producer} to {site}: {reason}.

{message}

The operator looks into it, and may send your text to the producer, without your address. You get another mail with the decision.

If you reported nothing, reply to this mail: your address was used by another person.
`,
    sample: reported,
  },
  "report-to-review": {
    description: "To all operators, when a beat is reported.",
    text: `# {title} was reported

The beat “{title}”, number {beat}, by {producer} was reported: {reason}.

{message}

Look into it here:

{link}
`,
    sample: { ...reported, link: "https://beats.example/portal/admin/reports?beat=7" },
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
  "report-countered": {
    description: "To all operators, when a producer counters a report.",
    text: `# {producer} counters the report of {title}

The beat “{title}”, number {beat}, by {producer} was reported: {reason}.

{message}

The producer says:

{counter}

Decide until {until}:

{link}
`,
    sample: {
      ...{
        ...reported,
        counter: "The hook is mine: I played it on my own guitar.",
        until: "24 December 2026, 12:00 UTC",
      },
      link: "https://beats.example/portal/admin/reports?beat=7",
    },
  },
  "report-upheld": {
    description: "To the address that reported a beat, when an operator upholds it.",
    text: `# Your report of {title} was upheld

You reported the beat “{title}” by {producer} to {site}: {reason}. The operator upholds it, and the beat was taken down:

{decision}
`,
    sample: { ...reported, decision: "The hook is the one of the record that you named." },
  },
  "report-rejected": {
    description: "To the same, when an operator rejects it.",
    text: `# Your report of {title} was rejected

You reported the beat “{title}” by {producer} to {site}: {reason}. The operator rejects it:

{decision}

Reply to this mail if something new comes up.
`,
    sample: { ...reported, decision: "The producer has shown the session of the recording." },
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
  dispute: {
    description: "To the buyer, when their bank takes a payment back.",
    text: `# Your bank disputes the payment of {title}

Your bank has told us on {at} that the payment of {amount} for the {license} license of “{title}”, order {order}, is disputed.

If you did not ask for that, tell your bank. If something is wrong with the order, reply to this mail: we can refund it ourselves.
`,
    sample: order,
  },
  "dispute-opened": {
    description: "To operators, when a buyer's bank takes a payment back.",
    text: `# Dispute over {amount}: order {order}

On {at} the bank of the buyer disputed the payment of order {order}: {license} license of “{title}”, {amount}. The reason it gives is: {reason}

The provider withholds the money until it is decided. Answer at the provider, before its deadline. The order is here:

{link}
`,
    sample: { ...order, reason: "fraudulent", link: "https://beats.example/portal/admin/orders/1042" },
  },
  "refund-to-decide": {
    description: "To operators, when a buyer asks for the money back.",
    text: `# Refund asked for: order {order}, {amount}

The buyer of “{title}” asks for {amount} back. The reason: {reason}

{message}

Grant or refuse it here. The buyer waits for your decision:

{link}
`,
    sample: {
      ...{ order: order.order, title: order.title, amount: order.amount },
      reason: "The files are damaged or missing",
      message: "The WAV ends after ten seconds.",
      link: "https://beats.example/portal/admin/orders/1042",
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
  "refund-refused": {
    description: "To the buyer, when an operator refuses a refund.",
    text: `# No refund of {title}

You asked for the money of order {order} back. It was not granted, for this reason:

{message}

The order stays yours, with its files and its license:

{link}
`,
    sample: { order: order.order, title: order.title, message: "The files were downloaded and are whole.", link },
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
  "message-to-buyer": {
    description: "To the buyer, when the producer answers.",
    text: `# {producer} writes about {title}

{producer} writes about order {order}:

{message}

Answer at the order in your library. Neither of you sees the address of the other. Replies to this mail do not reach the producer:

{link}
`,
    sample: {
      ...{ order: order.order, title: order.title, producer: "Nightowl" },
      message: "Gladly, it is on its way.",
      link,
    },
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof templates;

export const templateNames = Object.keys(templates) as TemplateName[];

export const isTemplateName = (name: string): name is TemplateName => Object.hasOwn(templates, name);

/** What a template may name. */
export const namesOf = (name: TemplateName): string[] => ["site", ...Object.keys(templates[name].sample)];
