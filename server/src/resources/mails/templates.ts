/** What fills in a template: a text, or the items of a list. */
export type Facts = Readonly<Record<string, string | readonly string[]>>;

export interface Template {
  /** Who gets it, and when, for operators. */
  description: string;
  /** The first line is `# ` and the subject. Below it are paragraphs, and items that begin with `- `. */
  text: string;
  /** For the preview. Its names are all that the text may name, and `site`. */
  sample: Facts;
  /** Whether its reader may do without it, and can switch it off. */
  isOptional?: true;
}

const link = "https://beats.example/library/1.mguq3c00.5Zk0t1vXQmJ8bN4yR7wD2eLh9uPfS6aGcTiVxEoKjMs";
const order = {
  order: "1042",
  title: "Midnight Lantern",
  license: "premium",
  amount: "59.90 USD",
  at: "26 November 2026 at 12:00 UTC",
};

/** All mails about money, by name. An operator's folder may replace the text of each. */
export const templates = {
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
