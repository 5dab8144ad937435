import type { scripts as english } from "../en/scripts.ts";
import { translationOf } from "../text.ts";

export const scripts = translationOf<typeof english>()({
  "script.play": "{title} abspielen",
  "script.pause": "{title} anhalten",
  "script.time": "{time} von {duration}",
  "script.notLoaded": "Nicht geladen",
  "script.notAllowed": "Der Browser hat die Wiedergabe nicht zugelassen. Drücken Sie noch einmal auf Abspielen.",
  "script.notPlayable":
    "Diese Vorschau lässt sich nicht abspielen: Die Datei fehlt, oder der Browser kennt das Format nicht.",
  "script.copied": "Kopiert",
  "script.notCopied": "Nicht kopiert",
  "script.sending": "Wird gesendet …",
  "script.response": "{status} · {ms} ms · {bytes} Bytes",
  "script.unreachable": "Der Server war nicht erreichbar. Versuchen Sie es noch einmal.",
  "script.lost": "Verbindung unterbrochen, neuer Versuch läuft",
  "script.throttled": "Aus Ihrem Netz kamen viele Suchen. Neuer Versuch in {seconds} s.",
  "script.failed": "Die Suche ist fehlgeschlagen, neuer Versuch läuft.",
  "script.basket": "Warenkorb ({count})",
  "script.owned": "Gekauft",
  "script.paying": "Zahlung läuft",
  "script.buyAgain": "Noch einmal kaufen",
});
