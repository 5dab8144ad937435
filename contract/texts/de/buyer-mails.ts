import type { buyerMails as english } from "../en/buyer-mails.ts";
import { translationOf } from "../text.ts";

export const buyerMails = translationOf<typeof english>()({
  receipt: `# Ihr Beleg von {site}

Vielen Dank. Ihre Zahlung von {total} ist am {at} eingegangen.

{items}

Ihre Dateien und Lizenzzertifikate (auf Englisch) finden Sie hier:

{link}

{invoices}

Bewahren Sie diese E-Mail als Beleg auf: Bestellung {orders}.
`,
  library: `# Ihre Dateien bei {site}

Jemand, vermutlich Sie, hat den Link zu den Käufen mit dieser Adresse angefordert. Er gilt 30 Tage, ohne Passwort:

{link}

Wenn Sie das nicht waren, müssen Sie nichts tun: Außer Ihnen hat niemand diesen Link.
`,
  "license-usage": `# {percent} Prozent Ihres Limits für {title} sind erreicht

Nach Ihren Meldungen hat die Lizenz „{license}“ für {title} {used} von {limit} erreicht ({use}).

{remedy}

Ihre Lizenz liegt in Ihrer Bibliothek:

{link}

Sie gehört zur Bestellung {order}.
`,
  "no-orders": `# Mit dieser Adresse wurde nichts gekauft

Jemand, vermutlich Sie, hat {site} um den Link zu den Käufen mit dieser Adresse gebeten. Es gibt keine. Vielleicht haben Sie eine andere verwendet:

{link}

Wenn Sie das nicht waren, müssen Sie nichts tun.
`,
  "free-download": `# Ihr kostenloser Download von {title}

Jemand, vermutlich Sie, hat {site} mit dieser Adresse um die MP3 von „{title}“ von {producer} gebeten. Bestätigen Sie es, und die Datei gehört Ihnen:

{link}

Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne Bestätigung bekommt niemand Ihre Adresse.
`,
  refund: `# Ihre Erstattung für {title}: {refunded}

Für Bestellung {order} wurden bis {at} {refunded} erstattet, von {amount} für die Lizenz „{license}“ von „{title}“. Ihre Bank braucht einige Tage, bis sie es anzeigt.

{outcome}
`,
  "files-withdrawn": `# Die Dateien von {title} wurden zurückgezogen

Der Betreiber von {site} hat den Beat „{title}“ entfernt, für den Sie mit Bestellung {order} eine Lizenz gekauft haben:

{reason}

Seine Dateien lassen sich nicht mehr herunterladen. Ihr Zertifikat liegt weiter in Ihrer Bibliothek:

{link}

Antworten Sie auf diese E-Mail, wenn es um Ihr Geld geht oder wenn Sie mit dem Beat etwas veröffentlicht haben.
`,
  "files-restored": `# Die Dateien von {title} sind wieder da

Der Betreiber von {site} hat „{title}“ wieder freigegeben, für den Sie mit Bestellung {order} eine Lizenz gekauft haben:

{reason}

Sie können seine Dateien wieder herunterladen:

{link}
`,
  "report-received": `# Ihre Meldung zu {title}

Sie haben den Beat „{title}“ von {producer} bei {site} gemeldet: {reason}.

{message}

Der Betreiber sieht sich das an und kann Ihren Text dem Produzenten schicken, ohne Ihre Adresse. Mit der Entscheidung bekommen Sie eine weitere E-Mail.

Wenn Sie nichts gemeldet haben, antworten Sie auf diese E-Mail: Dann hat jemand anderes Ihre Adresse benutzt.
`,
  "report-upheld": `# Ihrer Meldung zu {title} wurde stattgegeben

Sie haben den Beat „{title}“ von {producer} bei {site} gemeldet: {reason}. Der Betreiber gibt der Meldung statt, und der Beat wurde entfernt:

{decision}
`,
  "report-rejected": `# Ihre Meldung zu {title} wurde abgelehnt

Sie haben den Beat „{title}“ von {producer} bei {site} gemeldet: {reason}. Der Betreiber lehnt die Meldung ab:

{decision}

Antworten Sie auf diese E-Mail, wenn es etwas Neues gibt.
`,
  dispute: `# Ihre Bank bestreitet die Zahlung für {title}

Ihre Bank hat uns am {at} mitgeteilt, dass die Zahlung von {amount} für die Lizenz „{license}“ von „{title}“, Bestellung {order}, bestritten wird.

Wenn Sie das nicht veranlasst haben, sagen Sie es Ihrer Bank. Wenn mit der Bestellung etwas nicht stimmt, antworten Sie auf diese E-Mail: Wir können selbst erstatten.
`,
  "refund-refused": `# Keine Erstattung für {title}

Sie haben das Geld für Bestellung {order} zurückverlangt. Das wurde aus diesem Grund abgelehnt:

{message}

Die Bestellung bleibt Ihre, mit ihren Dateien und ihrer Lizenz:

{link}
`,
  "message-to-buyer": `# {producer} schreibt über {title}

{producer} schreibt zu Bestellung {order}:

{message}

Antworten Sie bei der Bestellung in Ihrer Bibliothek. Keiner von Ihnen sieht die Adresse des anderen. Antworten auf diese E-Mail erreichen den Produzenten nicht:

{link}
`,
});
