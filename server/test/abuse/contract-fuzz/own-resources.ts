import type { Database } from "../../../src/database/connect.ts";
import { insertBeats } from "../../harness/database/catalogue.ts";
import { insertLicense } from "../../harness/database/licenses.ts";
import { insertUpload } from "../../harness/database/uploads.ts";
import type { FuzzOptions, SentRequest } from "./fuzz-contract.ts";
import type { KnownIds } from "./parts.ts";

interface Producer {
  database: Database;
  userId: number;
  key: string;
  send: FuzzOptions["send"];
}

const draftCount = 60;
const uploadCount = 80;
const playlistCount = 60;

/**
 * Creates uploads in every state, drafts and playlists of the account, so that requests for them can succeed, and a
 * license of another account. There are more uploads, drafts and playlists than the DELETE requests remove.
 */
export async function makeOwnResources({ database, userId, key, send }: Producer): Promise<KnownIds> {
  const post = async (url: string, headers: Record<string, string>, body: Buffer | null) => {
    const request: SentRequest = { method: "POST", url, headers: { authorization: `Bearer ${key}`, ...headers }, body };
    const response = await send(request);
    if (response.statusCode !== 201) throw new Error(`${url} answered ${response.statusCode}: ${response.bytes}`);
    return response;
  };
  const make = (count: number, fields: Omit<Parameters<typeof insertUpload>[1], "userId"> = {}) =>
    Promise.all(Array.from({ length: count }, () => insertUpload(database, { userId, ...fields })));
  await insertBeats(database, [{ genre: "Trap" }, { genre: "Drill" }]);
  const [audio, covers, stems] = [
    await make(uploadCount),
    await make(10, { kind: "cover" }),
    await make(10, { kind: "stems" }),
  ];
  const unreadyUploads = [...(await make(10, { status: "rejected" })), ...(await make(10, { status: "analysing" }))];
  for (let index = 0; index < 10; index++) {
    const metadata = `kind ${Buffer.from("audio").toString("base64")},filename ${Buffer.from("a.wav").toString("base64")}`;
    const { headers } = await post(
      "/v1/uploads",
      { "tus-resumable": "1.0.0", "upload-length": "2000", "upload-metadata": metadata },
      null,
    );
    unreadyUploads.push(String(headers.location).split("/").at(-1) ?? "");
  }
  const beats: number[] = [];
  for (let index = 0; index < draftCount; index++) {
    const fields = { title: `Draft ${index}`, genre: "Trap", audio: audio[index % 20], price: 29.9 };
    const body = Buffer.from(JSON.stringify(fields));
    const { bytes } = await post("/v1/beats", { "content-type": "application/json" }, body);
    beats.push(JSON.parse(String(bytes)).data.beat.id);
  }
  const ids = Array.from({ length: playlistCount }, (_, index) => `pl_${String(index).padStart(22, "0")}`);
  const row = { user_id: userId, title: "Mine", description: "", visibility: "private" };
  const timestamps = { created_at: new Date(), updated_at: new Date() };
  await database.query
    .insertInto("playlists")
    .values(ids.map((id) => ({ id, ...row, ...timestamps })))
    .execute();
  return {
    playlists: ids,
    licenses: [(await insertLicense(database)).id],
    beats,
    uploads: [...audio, ...covers, ...stems, ...unreadyUploads],
    audio,
    covers,
    stems,
    genres: ["Trap", "drill"],
  };
}
