/** Formats that are not accepted as audio, by their first bytes, so that a refusal can name them. */
const formats: readonly (readonly [name: string, offset: number, magic: string])[] = [
  ["Sun audio (AU)", 0, ".snd"],
  ["Core Audio (CAF)", 0, "caff"],
  ["big-endian WAV (RIFX)", 0, "RIFX"],
  ["an AVI video", 8, "AVI "],
  ["Windows Media (WMA)", 0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11"],
  ["Monkey's Audio (APE)", 0, "MAC "],
  ["WavPack", 0, "wvpk"],
  ["True Audio (TTA)", 0, "TTA1"],
  ["TAK", 0, "tBaK"],
  ["OptimFROG", 0, "OFR "],
  ["Musepack", 0, "MPCK"],
  ["Musepack", 0, "MP+"],
  ["DSD audio (DSF)", 0, "DSD "],
  ["DSD audio (DSDIFF)", 0, "FRM8"],
  ["AMR", 0, "#!AMR"],
  ["RealAudio", 0, ".ra\xfd"],
  ["RealAudio", 0, ".RMF"],
  ["Matroska or WebM", 0, "\x1a\x45\xdf\xa3"],
  ["a Flash video", 0, "FLV\x01"],
  ["AC-3", 0, "\x0b\x77"],
  ["MIDI, which has notes and no sound", 0, "MThd"],
  ["an FL Studio project", 0, "FLhd"],
  ["an 8SVX sample", 8, "8SVX"],
  ["Creative Voice (VOC)", 0, "Creative Voice File"],
  ["a RAR archive", 0, "Rar!"],
  ["a 7-Zip archive", 0, "7z\xbc\xaf\x27\x1c"],
  ["a gzip archive", 0, "\x1f\x8b"],
  ["a PDF", 0, "%PDF-"],
  ["a ZIP archive", 0, "PK\x03\x04"],
  ["a ZIP archive", 0, "PK\x05\x06"],
  ["a picture (PNG)", 0, "\x89PNG"],
  ["a picture (JPEG)", 0, "\xff\xd8\xff"],
  ["a picture (GIF)", 0, "GIF8"],
  ["a picture (WebP)", 8, "WEBP"],
];

/** The common name of a file's format, by its first bytes. Null if the format is unknown. */
export function nameOther(head: Uint8Array): string | null {
  const text = String.fromCharCode(...head);
  const format = formats.find(([, offset, magic]) => text.startsWith(magic, offset));
  if (format !== undefined) return format[0];
  // A frame of MPEG audio begins with eleven set bits. The higher of the two layer bits is set for layer I and II, not
  // for III.
  const [first = 0, second = 0] = head;
  const hasFrameSync = first === 0xff && (second & 0xe0) === 0xe0;
  const isLayerOneOrTwo = (second & 0x04) !== 0;
  return hasFrameSync && isLayerOneOrTwo ? "MPEG audio of layer I or II" : null;
}
