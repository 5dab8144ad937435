import Type from "typebox";
import { permissions } from "../../access/permissions.ts";

const closed = { additionalProperties: false };
const Permissions = Type.Array(Type.Enum([...permissions]), { minItems: 1 });

/** The grant type of RFC 8628. */
export const grantType = "urn:ietf:params:oauth:grant-type:device_code";

export const UserCode = Type.Object({
  user_code: Type.String({ minLength: 1, maxLength: 20, description: "The code in the terminal, in any notation." }),
});

export const DeviceLoginRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: "What the key is for, such as the machine's name." }),
  permissions: Permissions,
});

export const DeviceAuthorization = Type.Object(
  {
    device_code: Type.String({ description: "For the program's polls; a secret." }),
    user_code: Type.String({ description: "For the person, who compares it." }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String({ description: "The page with the code filled in." }),
    expires_in: Type.Integer({ description: "Seconds until both codes are over." }),
    interval: Type.Integer({ description: "Seconds between two polls." }),
  },
  { $id: "DeviceAuthorization", ...closed },
);

export const DeviceTokenRequest = Type.Object({
  grant_type: Type.Enum([grantType]),
  device_code: Type.String({ minLength: 1, maxLength: 100 }),
});

export const DeviceToken = Type.Object(
  {
    access_token: Type.String({ description: "The API key; it cannot be shown again." }),
    token_type: Type.Enum(["Bearer"]),
  },
  { $id: "DeviceToken", ...closed },
);

/** As RFC 8628, 3.5 has it. */
export const DeviceFailure = Type.Object(
  {
    error: Type.Enum(["authorization_pending", "slow_down", "access_denied", "expired_token"]),
    error_description: Type.String(),
  },
  { $id: "DeviceFailure", ...closed, description: "There is no key: why, and whether to go on." },
);

export const DeviceLogin = Type.Object(
  {
    user_code: Type.String(),
    name: Type.String(),
    permissions: Permissions,
    client_address: Type.String({ description: "Where the program asked from." }),
    expires_at: Type.String({ format: "date-time" }),
  },
  { $id: "DeviceLogin", ...closed },
);

export const DeviceApproval = Type.Object({ permissions: Permissions });
