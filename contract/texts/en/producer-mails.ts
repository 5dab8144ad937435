/** Mails to producers and their collaborators. */
export const producerMails = {
  sold: `# You sold {title}: {amount}

On {at} the {license} license of “{title}” was sold for {amount}. It is order {order}.

Your sales are here:

{link}
`,
  "exclusive-sold": `# The exclusive license of {title} is sold: {amount}

On {at} the exclusive license of “{title}” was sold for {amount}. It is order {order}.

The beat is off sale from now on. Nothing of it can change, unless the order is refunded in full. Your sales are here:

{link}
`,
  "refunded-sale": `# A refund of {title}: {refunded}

{refunded} of order {order} were paid back to the buyer by {at}, of {amount} for the {license} license of “{title}”. Your share of that amount is taken from your balance.

{outcome}
`,
  "not-published": `# {title} was not published

Your beat “{title}” was to be published at {at}. It was not:

{reason}

Correct it, and publish it or set another moment:

{link}
`,
  "taken-down": `# {title} was taken down

The operator of {site} took your beat “{title}” down:

{reason}

It is off sale and off every page. {outcome}

In the studio you can answer once. The operator reads it and decides:

{link}
`,
  restored: `# {title} is back

The operator of {site} ended the takedown of your beat “{title}”:

{reason}

It is on sale again, unless you took it off sale yourself or its exclusive license is sold.

{link}
`,
  "report-notice": `# Notice: your beat {title} was reported

Your beat “{title}” was reported to {site}: {reason}.

{message}

You can counter this once, until {until}. Without a counter-notice the operator may uphold the report and take the beat down. Say in the studio why you may sell it:

{link}
`,
  "report-upheld-producer": `# A report of your beat {title} was upheld

Your beat “{title}” was reported to {site}: {reason}. The operator upholds the report, and the beat is taken down:

{decision}

{link}
`,
  "report-rejected-producer": `# A report of your beat {title} was rejected

Your beat “{title}” was reported to {site}: {reason}. The operator rejects the report:

{decision}

{link}
`,
  "split-offered": `# {producer} offers you {part} of {title}

{producer} shares the sales of “{title}” with you: {part} of each sale, after the commission of {site}.

Accept or decline it here. Nothing is shared before all collaborators have accepted. Without an account, register with this address first:

{link}
`,
  "payout-sent": `# {amount} are on their way to you

Payout {payout} of {amount} was sent to {account}. A bank takes one to three days.

What it is made of, and your statements, are here:

{link}
`,
  "payout-failed": `# Your payout of {amount} did not arrive

Payout {payout} of {amount} to {account} failed. The reason: {reason}

The money is in your balance again. Nothing more is paid to these bank details. Correct them here, and the next payout includes this amount:

{link}
`,
  "refund-requested": `# A buyer of {title} asks for a refund

The buyer of order {order} asks for {amount} back. The reason: {reason}

{message}

An operator decides. You can write to the buyer here, and perhaps solve it:

{link}
`,
  "message-to-producer": `# A buyer of {title} writes to you

The buyer of order {order} writes:

{message}

Answer here, and we mail your answer. Neither of you sees the address of the other. Replies to this mail do not reach the buyer:

{link}
`,
} as const;
