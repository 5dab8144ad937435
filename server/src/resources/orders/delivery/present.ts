import { timestamp } from "@beatmarket/http/formats.ts";
import type { Delivery } from "./delivery.ts";

export const deliveryReference = ({ files, license }: Delivery) => ({
  files: files.map(({ kind, filename, bytes, sha256, url, expiresAt }) => ({
    kind,
    filename,
    bytes,
    sha256,
    url,
    expires_at: timestamp(expiresAt),
  })),
  license: {
    id: license.id,
    url: license.url,
    jws: license.jws,
    type: license.type,
    terms_version: license.termsVersion,
    status: license.status,
  },
});

export const deliveryConsole = (delivery: Delivery) => ({ data: deliveryReference(delivery) });
