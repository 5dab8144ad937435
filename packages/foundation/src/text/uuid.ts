/** A UUID of any version, in any case, as a pattern of JSON Schema. */
export const uuidPattern = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";
