import type { operatorMails as english } from "../en/operator-mails.ts";
import { translationOf } from "../text.ts";

export const operatorMails = translationOf<typeof english>()({
  "takedown-answered": `# {producer} antwortet auf die Entfernung von {title}

Sie haben „{title}“, Beat {beat} von {producer}, entfernt:

{reason}

Der Produzent sagt:

{message}

Entscheiden Sie hier darüber:

{link}
`,
  "report-to-review": `# {title} wurde gemeldet

Der Beat „{title}“, Nummer {beat}, von {producer} wurde gemeldet: {reason}.

{message}

Sehen Sie es sich hier an:

{link}
`,
  "report-countered": `# {producer} widerspricht der Meldung zu {title}

Der Beat „{title}“, Nummer {beat}, von {producer} wurde gemeldet: {reason}.

{message}

Der Produzent sagt:

{counter}

Entscheiden Sie bis {until}:

{link}
`,
  "dispute-opened": `# Bestrittene Zahlung über {amount}: Bestellung {order}

Am {at} hat die Bank des Käufers die Zahlung für Bestellung {order} bestritten: Lizenz „{license}“ von „{title}“, {amount}. Sie nennt als Grund: {reason}

Der Zahlungsdienst hält das Geld zurück, bis darüber entschieden ist. Antworten Sie dort vor Ablauf der Frist. Die Bestellung finden Sie hier:

{link}
`,
  "limits-requested": `# {account} bittet um den Tarif {plan}

{account} bittet darum, dass der API-Schlüssel {key} vom Tarif {present} in den Tarif {plan} wechselt:

{message}

Hier stimmen Sie zu oder lehnen ab:

{link}
`,
  "refund-to-decide": `# Erstattung beantragt: Bestellung {order}, {amount}

Der Käufer von „{title}“ verlangt {amount} zurück. Der Grund: {reason}

{message}

Gewähren Sie es hier, oder lehnen Sie ab. Der Käufer wartet auf Ihre Entscheidung:

{link}
`,
});
