import type { home as english } from "../en/home.ts";
import { translationOf } from "../text.ts";

export const home = translationOf<typeof english>()({
  "home.heading": "Hören, finden, verkaufen: aus Ihrem Code.",
  "home.lead":
    "Ein Marktplatz für Beats mit JSON-API: Die Suche versteht Tempo und Tonart, ähnliche Beats nennen ihre Gründe, Lizenzen gelten, was sie sagen, und Webhooks lassen sich nachvollziehen.",
  "home.searchLabel": "Beats suchen",
  "home.search": "Suchen",
  "home.try": "Zum Beispiel",
  "home.alike": "Ähnliche Beats nennen ihre Gründe",
  "home.alikeLead":
    "Tempo (halbes und doppeltes zählen mit), Tonart im Quintenzirkel, Genre. Jeder Balken ist so lang wie sein Anteil an der Wertung.",
  "home.limits": "Limits, die genannt und eingehalten werden",
  "home.limitsLead":
    "Exakte gleitende Zeitfenster für jeden Schlüssel. Jede Antwort nennt den Rest, jede Ablehnung den nächsten möglichen Zeitpunkt.",
  "home.limitsCaption": "Anfragen eines Schlüssels je Tarif",
  "home.plan": "Tarif",
  "home.minute": "Pro Minute",
  "home.hour": "Pro Stunde",
  "home.day": "Pro Tag",
  "home.libraries":
    "{bold}JavaScript, Python, PHP, Ruby und Go{end}: fünf Bibliotheken, ein Verhalten. Sie blättern und wiederholen, wo es hilft.",
  "home.sandbox": "{bold}Eine Sandbox{end}, die kein Geld bewegt, bis Stripe verbunden ist.",
  "home.webhooks":
    "{bold}Webhooks{end}, signiert, wiederholt und abspielbar, dazu ein Posteingang, der keinen Server braucht.",
  "home.noKeys": "{bold}Schlüssel bleiben auf Servern{end}: Diese Seite hat keinen, der Explorer auch nicht.",
  "home.ways": "Wohin als Nächstes",
  "home.wayKey": "{bold}Schlüssel holen{end}Ein Name und eine Adresse genügen. Tarif standard, sofort.",
  "home.wayPortal": "{bold}Portal öffnen{end}Ihre Schlüssel, Aufrufe und Webhooks.",
  "home.wayGuides":
    "{bold}Anleitungen lesen{end}Webhooks, Spiegel, Filter, Uploads, Limits: was zu tun ist, und warum.",
  "home.wayReference":
    "{bold}Referenz lesen{end}Jeder Aufruf, jedes Feld, jede Ablehnung, mit Programmen in sechs Sprachen.",
  "home.wayTry": "{bold}Aufruf ausprobieren{end}Jeder Aufruf aus einem Formular, mit dem, was es sendet.",
  "home.wayDocument": "{bold}Dokument herunterladen{end}OpenAPI 3.1, für Generatoren und Linter.",
  "results.newest": "Neue Beats",
  "results.popular": "Beliebte Beats",
  "results.found": "Beats zu „{text}“",
  "results.new": "Neu",
  "results.byPopularity": "Beliebt",
  "results.understood": "Verstanden als",
  "results.upTo": "bis {value}",
  "results.from": "ab {value}",
  "results.without": "ohne {text}",
  "results.near": "nahe {text}: genau das hat keiner",
  "results.nothing": "Kein Beat erfüllt alles",
  "results.nothingHint":
    "Lassen Sie ein Wort weg, oder versuchen Sie es mit einem Genre, einem Tempo wie 140 bpm oder einer Tonart wie a minor.",
  "call.title": "Was Sie sehen, ist ein einziger Aufruf",
  "call.lead":
    "Die Beats oben sind diese Antwort der API. Suchen Sie nach etwas anderem, und der Aufruf folgt. Hier läuft er ohne Schlüssel; Ihr Programm braucht einen.",
  "call.language": "Sprache",
  "call.copy": "Kopieren",
  "call.in": "Der Aufruf in {language}",
  "call.run": "Ausführen",
  "call.response": "Die Antwort",
});
