// Uploads a file with tus-js-client: interrupts it, resumes it with a new upload object, and terminates another upload.
import { readFile } from "node:fs/promises";
import { Upload } from "tus-js-client";

const [endpoint, key, path] = process.argv.slice(2);
const file = await readFile(path);
const options = {
  endpoint,
  headers: { Authorization: `Bearer ${key}` },
  metadata: { kind: "audio", filename: "beat.wav" },
  retryDelays: [0, 500, 1000, 2000],
};

/** Sends the first part, and cuts the connection during the second part. Resolves to the upload. */
const cut = () =>
  new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      ...options,
      chunkSize: 1_000_000,
      onError: reject,
      onChunkComplete: () => {
        upload.abort().then(() => resolve(upload), reject);
      },
    });
    upload.start();
  });

const resume = (uploadUrl) =>
  new Promise((resolve, reject) => {
    let from = null;
    const upload = new Upload(file, {
      ...options,
      uploadUrl,
      onError: reject,
      onProgress: (sent) => {
        from ??= sent;
      },
      onSuccess: () => resolve(from),
    });
    upload.start();
  });

const whole = (uploadDataDuringCreation) =>
  new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      ...options,
      uploadDataDuringCreation,
      onError: reject,
      onSuccess: () => resolve(upload.url),
    });
    upload.start();
  });

const broken = await cut();
const from = await resume(broken.url);
const terminated = await cut();
await terminated.abort(true);
process.stdout.write(
  JSON.stringify({ resumed: broken.url, from, terminated: terminated.url, whole: await whole(true) }),
);
