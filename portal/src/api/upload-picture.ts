import { api, send, unwrap } from "./client.ts";

const pollMs = 700;
/** The server checks a picture within seconds. Polling stops after a minute. */
const mostPolls = 80;

/**
 * Uploads a picture in one request (tus, creation with upload) and waits for the server's check. Returns the upload's id.
 * Throws an ApiError for a refused request, and an Error with the reason for a rejected picture.
 */
export async function uploadPicture(file: File): Promise<string> {
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
  for (let poll = 0; poll < mostPolls; poll++) {
    const { upload } = await unwrap(api.GET("/studio/uploads/{upload_id}", { params: { path: { upload_id: id } } }));
    if (upload.status === "ready") return id;
    if (upload.status === "rejected") throw new Error(upload.rejection ?? "The picture was refused.");
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error("The picture is still being checked. Try again in a minute.");
}

/** Encodes the text's UTF-8, as tus requires for metadata. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
