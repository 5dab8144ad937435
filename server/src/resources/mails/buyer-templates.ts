import { libraryLink, order, reported } from "./sample-facts.ts";
import type { Template } from "./template.ts";

/** Mails to those who buy, download or report a beat, by name. */
export const buyerTemplates = {
  receipt: {
    description: "To the buyer, when a payment came through.",
    text: `# Your receipt from {site}

Thank you. Your payment of {total} came through on {at}.

{items}

Your files and license certificates are here:

{link}

{invoices}

Keep this mail as your receipt: order {orders}.
`,
    sample: {
      total: "94.80 USD",
      at: order.at,
      items: [
        "Midnight Lantern, by Nightowl: premium license, 59.90 USD",
        "Sunrise, by Lark: basic license, 34.90 USD",
      ],
      link: libraryLink,
      invoices: "Your invoices are there, too: INV-2026-000042 and INV-2026-000043.",
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
    sample: { link: libraryLink },
  },
  "license-usage": {
    description: "To the holder of a license, when the reported usage reaches 80 or 100 percent of a limit.",
    text: `# {percent} percent of the {use} of {title} are used

By your reports, the {license} license of {title} has {used} {use} of {limit}.

{remedy}

Your license is in your library:

{link}

It is of order {order}.
`,
    sample: {
      title: "Midnight Lantern",
      license: "basic",
      order: "1042",
      use: "streams",
      percent: "80",
      used: "81,200",
      limit: "100,000",
      remedy: "For more, buy the premium license. It costs 30.00 USD today.",
      link: libraryLink,
    },
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
      link: libraryLink,
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
    sample: { beat: "7", title: order.title, order: order.order, reason: "The sample is cleared.", link: libraryLink },
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
  dispute: {
    description: "To the buyer, when their bank takes a payment back.",
    text: `# Your bank disputes the payment of {title}

Your bank has told us on {at} that the payment of {amount} for the {license} license of “{title}”, order {order}, is disputed.

If you did not ask for that, tell your bank. If something is wrong with the order, reply to this mail: we can refund it ourselves.
`,
    sample: order,
  },
  "refund-refused": {
    description: "To the buyer, when an operator refuses a refund.",
    text: `# No refund of {title}

You asked for the money of order {order} back. It was not granted, for this reason:

{message}

The order stays yours, with its files and its license:

{link}
`,
    sample: {
      order: order.order,
      title: order.title,
      message: "The files were downloaded and are whole.",
      link: libraryLink,
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
      link: libraryLink,
    },
  },
} as const satisfies Record<string, Template>;
