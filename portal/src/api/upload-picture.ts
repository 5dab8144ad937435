import { api, send, unwrap } from "./client.ts";

const pollMs = 700;
/** The server checks a picture within seconds. Polling stops after a minute. */
const maxPolls = 80;

/**
 * Uploads a picture in one request (tus, creation with upload), waits for the server's check, and calls `use` with the
 * upload's id. The upload is then deleted, because the studio would list it among the files of future beats. Throws an
 * ApiError for a refused request, and an Error with the reason for a rejected picture or a check that takes too long.
 */
export async function withUploadedPicture<Used>(file: File, use: (upload: string) => Promise<Used>): Promise<Used> {
  const response = await send("/portal/api/uploads", {
    method: "POST",
    headers: {
      "tus-resumable": "1.0.0",
      "upload-length": String(file.size),
      "upload-metadata": `kind ${base64("cover")},filename ${base64(file.name)}`,
      "content-type": "application/offset+octet-stream",
    },
    body: file,
  });
  await unwrap(
    Promise.resolve({ response, ...(!response.ok && { error: await response.json().catch(() => undefined) }) }),
  );
  const id = response.headers.get("location")?.split("/").at(-1) ?? "";
  try {
    await untilChecked(id);
    return await use(id);
  } finally {
    // The server deletes the upload after a day if this fails.
    void send(`/portal/api/uploads/${id}`, { method: "DELETE" }).catch(() => {});
  }
}

async function untilChecked(id: string): Promise<void> {
  for (let poll = 0; poll < maxPolls; poll++) {
    const { upload } = await unwrap(api.GET("/studio/uploads/{upload_id}", { params: { path: { upload_id: id } } }));
    if (upload.status === "ready") return;
    if (upload.status === "rejected") throw new Error(upload.rejection ?? "The picture was refused.");
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error("The picture is still being checked. Try again in a minute.");
}

/** Encodes the text's UTF-8, as tus requires for metadata. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
