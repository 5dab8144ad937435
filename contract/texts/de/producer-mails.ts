import type { producerMails as english } from "../en/producer-mails.ts";
import { translationOf } from "../text.ts";

export const producerMails = translationOf<typeof english>()({
  sold: `# Sie haben {title} verkauft: {amount}

Am {at} wurde die Lizenz „{license}“ von „{title}“ für {amount} gekauft. Es ist Bestellung {order}.

Ihre Verkäufe finden Sie hier:

{link}
`,
  "exclusive-sold": `# Die exklusive Lizenz von {title} ist verkauft: {amount}

Am {at} wurde die exklusive Lizenz von „{title}“ für {amount} gekauft. Es ist Bestellung {order}.

Der Beat ist ab jetzt nicht mehr im Verkauf. An ihm lässt sich nichts mehr ändern, außer wenn die Bestellung vollständig erstattet wird. Ihre Verkäufe finden Sie hier:

{link}
`,
  "refunded-sale": `# Eine Erstattung für {title}: {refunded}

Für Bestellung {order} wurden dem Käufer bis {at} {refunded} erstattet, von {amount} für die Lizenz „{license}“ von „{title}“. Ihr Anteil daran wird von Ihrem Guthaben abgezogen.

{outcome}
`,
  "not-published": `# {title} wurde nicht veröffentlicht

Ihr Beat „{title}“ sollte am {at} veröffentlicht werden. Das ist nicht geschehen. Der Grund, auf Englisch:

{reason}

Korrigieren Sie ihn, und veröffentlichen Sie ihn, oder wählen Sie einen anderen Zeitpunkt:

{link}
`,
  "taken-down": `# {title} wurde entfernt

Der Betreiber von {site} hat Ihren Beat „{title}“ entfernt:

{reason}

Er ist nicht mehr im Verkauf und auf keiner Seite. {outcome}

Im Studio können Sie einmal antworten. Der Betreiber liest es und entscheidet:

{link}
`,
  restored: `# {title} ist wieder da

Der Betreiber von {site} hat Ihren Beat „{title}“ wieder freigegeben:

{reason}

Er ist wieder im Verkauf, außer Sie haben ihn selbst aus dem Verkauf genommen oder seine exklusive Lizenz ist verkauft.

{link}
`,
  "report-notice": `# Hinweis: Ihr Beat {title} wurde gemeldet

Ihr Beat „{title}“ wurde bei {site} gemeldet: {reason}.

{message}

Sie können dem bis {until} einmal widersprechen. Ohne Widerspruch kann der Betreiber der Meldung stattgeben und den Beat entfernen. Sagen Sie im Studio, warum Sie ihn verkaufen dürfen:

{link}
`,
  "report-upheld-producer": `# Einer Meldung zu Ihrem Beat {title} wurde stattgegeben

Ihr Beat „{title}“ wurde bei {site} gemeldet: {reason}. Der Betreiber gibt der Meldung statt, und der Beat wurde entfernt:

{decision}

{link}
`,
  "report-rejected-producer": `# Eine Meldung zu Ihrem Beat {title} wurde abgelehnt

Ihr Beat „{title}“ wurde bei {site} gemeldet: {reason}. Der Betreiber lehnt die Meldung ab:

{decision}

{link}
`,
  "split-offered": `# {producer} bietet Ihnen {part} von {title} an

{producer} teilt die Verkäufe von „{title}“ mit Ihnen: {part} von jedem Verkauf, nach Abzug der Provision von {site}.

Nehmen Sie hier an, oder lehnen Sie ab. Nichts wird geteilt, bevor alle Beteiligten angenommen haben. Ohne Konto registrieren Sie sich zuerst mit dieser Adresse:

{link}
`,
  "payout-sent": `# {amount} sind zu Ihnen unterwegs

Auszahlung {payout} über {amount} wurde gesendet. Ziel: {account}. Eine Bank braucht ein bis drei Tage.

Woraus sie besteht, und Ihre Abrechnungen, finden Sie hier:

{link}
`,
  "payout-failed": `# Ihre Auszahlung von {amount} ist nicht angekommen

Auszahlung {payout} über {amount} ist fehlgeschlagen. Ziel: {account}. Der Grund: {reason}

Das Geld ist wieder in Ihrem Guthaben. An diese Angaben wird nichts mehr gezahlt. Korrigieren Sie sie hier, und die nächste Auszahlung enthält den Betrag:

{link}
`,
  "refund-requested": `# Ein Käufer von {title} bittet um Erstattung

Der Käufer von Bestellung {order} verlangt {amount} zurück. Der Grund: {reason}

{message}

Ein Betreiber entscheidet. Hier können Sie dem Käufer schreiben und es vielleicht lösen:

{link}
`,
  "message-to-producer": `# Ein Käufer von {title} schreibt Ihnen

Der Käufer von Bestellung {order} schreibt:

{message}

Antworten Sie hier, und wir schicken Ihre Antwort als E-Mail. Keiner von Ihnen sieht die Adresse des anderen. Antworten auf diese E-Mail erreichen den Käufer nicht:

{link}
`,
});
