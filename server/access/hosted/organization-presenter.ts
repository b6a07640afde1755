import type { OrganizationRow } from './organization-query.ts';

/** An organisation as the app reads it: slug and public metadata (spec 1 §3). */
export function presentOrganization(row: OrganizationRow) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    role: row.role,
    public_metadata: { backend_url: row.backend_url, direct: row.direct },
  };
}
