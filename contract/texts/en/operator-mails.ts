/** Mails to operators. */
export const operatorMails = {
  "takedown-answered": `# {producer} answers the takedown of {title}

You took “{title}”, beat {beat} by {producer}, down:

{reason}

The producer says:

{message}

Decide about it here:

{link}
`,
  "report-to-review": `# {title} was reported

The beat “{title}”, number {beat}, by {producer} was reported: {reason}.

{message}

Look into it here:

{link}
`,
  "report-countered": `# {producer} counters the report of {title}

The beat “{title}”, number {beat}, by {producer} was reported: {reason}.

{message}

The producer says:

{counter}

Decide until {until}:

{link}
`,
  "dispute-opened": `# Dispute over {amount}: order {order}

On {at} the bank of the buyer disputed the payment of order {order}: {license} license of “{title}”, {amount}. The reason it gives is: {reason}

The provider withholds the money until it is decided. Answer at the provider, before its deadline. The order is here:

{link}
`,
  "limits-requested": `# {account} asks for the plan {plan}

{account} asks that the API key {key} moves from the plan {present} to {plan}:

{message}

Grant or refuse it here:

{link}
`,
  "refund-to-decide": `# Refund asked for: order {order}, {amount}

The buyer of “{title}” asks for {amount} back. The reason: {reason}

{message}

Grant or refuse it here. The buyer waits for your decision:

{link}
`,
} as const;
