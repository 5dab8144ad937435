import Type from "typebox";
import { type MemberPermission, memberPermissions, permissions, roleNames } from "../access/roles.ts";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time" });

export const RoleField = Type.Enum([...roleNames], {
  description: "The role of a member: docs/organisations.md, Roles.",
});
export const NameField = Type.String({ minLength: 1, maxLength: 100 });
export const MemberId = Type.Object({ user_id: Type.Integer({ description: "The user id of the member." }) });
export const InvitationId = Type.Object({
  invitation_id: Type.Integer({ description: "Identifier of the invitation." }),
});

export const MemberCredentials = Type.Object(
  {
    keys: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), ends_with: Type.String() }, closed)),
    endpoints: Type.Array(Type.Object({ id: Type.Integer(), url: Type.String() }, closed)),
    invitations: Type.Array(Type.Object({ id: Type.Integer(), email: Type.String() }, closed)),
  },
  { $id: "MemberCredentials", ...closed },
);

/** The organisation that a session acts as. */
export const ActingOrganisation = Type.Object(
  {
    name: Type.String(),
    role: RoleField,
    suspended_for: Type.Union([Type.String(), Type.Null()], {
      description: "The operator's reason. Null unless the organisation is suspended.",
    }),
    refusals: Type.Partial(
      Type.Object(
        Object.fromEntries(Object.keys(memberPermissions).map((name) => [name, Type.String()])) as Record<
          MemberPermission,
          ReturnType<typeof Type.String>
        >,
        closed,
      ),
      { ...closed, description: "The actions that the role does not allow, each with what to do about it." },
    ),
    key_permissions: Type.Array(Type.Enum([...permissions]), {
      description: "The permissions that keys may have which the member creates, rotates or uses in the explorer.",
    }),
  },
  { $id: "ActingOrganisation", ...closed },
);

export const OrganisationSchema = Type.Object(
  {
    id: Type.Integer({ description: "The id of the organisation's user." }),
    username: Type.String(),
    members: Type.Array(
      Type.Object(
        {
          user_id: Type.Integer(),
          name: Type.String(),
          email: Type.String(),
          role: RoleField,
          joined_at: time,
          is_you: Type.Boolean(),
        },
        { $id: "Member", ...closed },
      ),
      { description: "Owners come first." },
    ),
    invitations: Type.Array(
      Type.Object(
        { id: Type.Integer(), email: Type.String(), role: RoleField, expires_at: time, has_expired: Type.Boolean() },
        { $id: "Invitation", ...closed },
      ),
      { description: "The invitations that are neither accepted nor revoked, the newest first. Only owners get them." },
    ),
  },
  { $id: "Organisation", ...closed },
);

export const OfferSchema = Type.Object(
  {
    organisation: Type.String(),
    email: Type.String({ description: "The invited mailbox." }),
    role: RoleField,
    state: Type.Enum(["open", "expired", "revoked", "accepted"]),
    has_account: Type.Boolean({ description: "Whether the mailbox has an account; otherwise the link registers one." }),
  },
  { $id: "InvitationOffer", ...closed },
);
