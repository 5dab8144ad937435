import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Connection } from "../../connection/connection.ts";
import { superuser } from "../postgres/initdb.ts";
import { ownerRole, serviceRole } from "../roles.ts";
import type { Ends } from "./rows.ts";

/** Settings whose value is a list of identifiers, which PostgreSQL stores with their quotes. */
const lists = `('local_preload_libraries', 'search_path', 'session_preload_libraries', 'shared_preload_libraries',
  'temp_tablespaces', 'unix_socket_directories')`;
const assignment = (name: string, value: string) =>
  `format('%I to %s', ${name}, case when ${name} in ${lists} then ${value} else quote_literal(${value}) end)`;
const isUserRole = "rolname !~ '^pg_'";
const grantee = "case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end";
const relations = "relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')";

/**
 * Selects statements that create the roles with their passwords, memberships and settings, and the settings of the
 * database.
 */
const rolesAndSettings = `
  select 1 as place, format('create role %I', rolname) as statement from pg_authid
    where ${isUserRole} and rolname not in ('${superuser}', '${ownerRole}', '${serviceRole}')
  union all
  select 2, format('alter role %I with %s %s %s %s %s %s %s connection limit %s password %L valid until %L', rolname,
      case when rolsuper then 'superuser' else 'nosuperuser' end,
      case when rolinherit then 'inherit' else 'noinherit' end,
      case when rolcreaterole then 'createrole' else 'nocreaterole' end,
      case when rolcreatedb then 'createdb' else 'nocreatedb' end,
      case when rolcanlogin then 'login' else 'nologin' end,
      case when rolreplication then 'replication' else 'noreplication' end,
      case when rolbypassrls then 'bypassrls' else 'nobypassrls' end,
      rolconnlimit, rolpassword, coalesce(rolvaliduntil, 'infinity')) from pg_authid where ${isUserRole}
  union all
  select 3, format('grant %I to %I with admin %s, inherit %s, set %s', pg_get_userbyid(roleid), pg_get_userbyid(member),
      admin_option::text, inherit_option::text, set_option::text) from pg_auth_members where pg_get_userbyid(member) !~ '^pg_'
  union all
  select 4, format('alter %s set %s', case
        when setrole = 0 then format('database %I', datname)
        when setdatabase = 0 then format('role %I', pg_get_userbyid(setrole))
        else format('role %I in database %I', pg_get_userbyid(setrole), datname) end,
      ${assignment("split_part(setting, '=', 1)", "substr(setting, strpos(setting, '=') + 1)")})
    from pg_db_role_setting cross join unnest(setconfig) as setting
    left join pg_database on pg_database.oid = setdatabase
    where setdatabase = 0 or datname = current_database()
  order by place, statement`;

/** Selects statements that repeat the settings of ALTER SYSTEM. */
const systemSettings = `
  select format('alter system set %s', ${assignment("name", "setting")}) as statement
  from pg_file_settings where sourcefile ~ '/postgresql[.]auto[.]conf$' order by seqno`;

/** Selects statements that repeat the grants on relations, columns, schema and database, and the default privileges. */
const grants = `
  select format('grant %s on %s to %s%s', privilege_type, oid::regclass, ${grantee},
      case when is_grantable then ' with grant option' end) as statement
    from pg_class cross join aclexplode(coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)))
    where ${relations} and grantee <> relowner
  union all
  select format('grant %s (%I) on %s to %s%s', privilege_type, attname, attrelid::regclass, ${grantee},
      case when is_grantable then ' with grant option' end)
    from pg_attribute join pg_class on pg_class.oid = attrelid cross join aclexplode(attacl) where ${relations}
  union all
  select format('grant %s on schema public to %s', privilege_type, ${grantee})
    from pg_namespace cross join aclexplode(nspacl) where nspname = 'public'
  union all
  select format('grant %s on database %I to %s', privilege_type, datname, ${grantee})
    from pg_database cross join aclexplode(datacl) where datname = current_database()
  union all
  select format('alter default privileges for role %I in schema public grant %s on %s to %s',
      pg_get_userbyid(defaclrole), privilege_type,
      case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'routines' else 'types' end,
      ${grantee})
    from pg_default_acl cross join aclexplode(defaclacl) where defaclnamespace = 'public'::regnamespace
  order by 1`;

/**
 * Copies roles and settings of the old cluster to the new one. Throws an OperatorError that names a statement which the
 * new major version refuses. Returns whether the new server must be restarted.
 */
export async function copyRolesAndSettings({ old, fresh }: Ends): Promise<boolean> {
  await execute(fresh, await read(old, rolesAndSettings));
  const statements = await read(old, systemSettings);
  await execute(fresh, statements);
  return statements.length > 0;
}

/** Copies the grants. The schema must exist in the new cluster. */
export const copyGrants = async ({ old, fresh }: Ends): Promise<void> => execute(fresh, await read(old, grants));

/** Throws an OperatorError that names the roles, settings and grants that the new cluster lacks. */
export async function requireSameRolesAndSettings({ old, fresh }: Ends): Promise<void> {
  for (const query of [rolesAndSettings, systemSettings, grants]) {
    const newStatements = new Set(await read(fresh, query));
    const missing = (await read(old, query)).filter((statement) => !newStatements.has(statement));
    if (missing.length > 0)
      throw new OperatorError(`The new cluster lacks: ${missing.map(withoutPassword).join("; ")}.`);
  }
}

async function read(connection: Connection, query: string): Promise<string[]> {
  const { rows } = await connection.query(query);
  return rows.map(({ statement }: { statement: string }) => statement);
}

async function execute(fresh: Connection, statements: readonly string[]): Promise<void> {
  for (const statement of statements)
    await fresh.query(statement).catch((cause: Error) => {
      throw new OperatorError(
        `The new PostgreSQL refuses a statement that the old one accepted: ${withoutPassword(statement)} (${cause.message}). Start the previous release, undo the statement in the old database, and then upgrade again.`,
        { cause },
      );
    });
}

const withoutPassword = (statement: string): string => statement.replace(/ password (?:E?'[^']*'|NULL)/, "");
