import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import type { PublicProducer } from "../../resources/users/public-producers.ts";
import { producerPath } from "../../resources/users/public-producers.ts";
import { factsOf, type ShownBeat } from "../html/beats.ts";

/** XML 1.0 has no way to write these, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeXml = (text: string): string => escapeHtml(text.toWellFormed().replace(unwritable, "\ufffd"));

/** The newest beats of a producer by RFC 4287. Addresses are absolute. */
export function atomFeed(producer: PublicProducer, beats: readonly ShownBeat[], publicUrl: string): string {
  const page = `${publicUrl}${producerPath(producer.username)}`;
  const times = beats.map(({ created_at }) => created_at).sort();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(page)}</id>
<title>${escapeXml(`Beats by ${producer.display_name}`)}</title>
<updated>${times.at(-1) ?? "1970-01-01T00:00:00Z"}</updated>
<author><name>${escapeXml(producer.display_name)}</name><uri>${escapeXml(page)}</uri></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(page)}/feed.atom"/>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${beats.map((beat) => entry(beat, publicUrl)).join("\n")}
</feed>
`;
}

function entry(beat: ShownBeat, publicUrl: string): string {
  const page = `${publicUrl}/beats/${beat.id}`;
  const preview = URL.parse(beat.audio_url, publicUrl);
  return `<entry>
<id>${escapeXml(page)}</id>
<title>${escapeXml(beat.title)}</title>
<updated>${beat.created_at}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
${beat.audio_url === "" || preview === null ? "" : `<link rel="enclosure" type="${audioTypeOf(preview.pathname)}" href="${escapeXml(preview.href)}"/>\n`}<summary>${escapeXml(factsOf(beat))}</summary>
</entry>`;
}

/** The media type of a preview, by the end of its address: generated previews are WAV, others are MP3. */
const audioTypeOf = (path: string): string => (path.endsWith(".wav") ? "audio/wav" : "audio/mpeg");
