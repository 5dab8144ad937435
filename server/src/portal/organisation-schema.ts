import Type from "typebox";
import { permissions } from "../access/permissions.ts";
import { type MemberPermission, memberPermissions, roleNames } from "../access/roles.ts";

const closed = { additionalProperties: false };
const time = Type.String({ format: "date-time" });

export const RoleField = Type.Enum([...roleNames], { description: "docs/organisations.md, Roles." });
export const NameField = Type.String({ minLength: 1, maxLength: 100 });
export const MemberId = Type.Object({ user_id: Type.Integer({ description: "The member's user." }) });
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
      description: "The operator's sentence; null unless suspended.",
    }),
    refusals: Type.Partial(
      Type.Object(
        Object.fromEntries(Object.keys(memberPermissions).map((name) => [name, Type.String()])) as Record<
          MemberPermission,
          ReturnType<typeof Type.String>
        >,
        closed,
      ),
      { ...closed, description: "What the role may not do, with what to do about it." },
    ),
    key_permissions: Type.Array(Type.Enum([...permissions]), {
      description: "What keys may have at most that the member makes, rotates or calls with.",
    }),
  },
  { $id: "ActingOrganisation", ...closed },
);

export const OrganisationSchema = Type.Object(
  {
    id: Type.Integer({ description: "Its user." }),
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
      { description: "Owners first." },
    ),
    invitations: Type.Array(
      Type.Object(
        { id: Type.Integer(), email: Type.String(), role: RoleField, expires_at: time, has_expired: Type.Boolean() },
        { $id: "Invitation", ...closed },
      ),
      { description: "Neither accepted nor revoked, newest first. For owners." },
    ),
  },
  { $id: "Organisation", ...closed },
);

export const OfferSchema = Type.Object(
  {
    organisation: Type.String(),
    email: Type.String({ description: "The mailbox that was invited." }),
    role: RoleField,
    state: Type.Enum(["open", "expired", "revoked", "accepted"]),
    has_account: Type.Boolean({ description: "The mailbox has an account; otherwise the link registers one." }),
  },
  { $id: "InvitationOffer", ...closed },
);
