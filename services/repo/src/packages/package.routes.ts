import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import {
  deletePackage,
  deletePackageFile,
  getPackage,
  listGroupPackages,
  listPackageFiles,
  listProjectPackages,
} from '@forgelog/contracts/repo/packages/package.api.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import {
  and,
  asc,
  type Condition,
  eq,
  includes,
  isEmpty,
  not,
  oneOf,
  type SortKey,
} from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { listPage, pageOf, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import {
  identityOf,
  mayDeletePackages,
  projectsWithReadablePackages,
  requirePackage,
} from './package.access.ts';
import { packageDecider, packageStream } from './package.decider.ts';
import { packageFileJson, packageJson, packageOfGroupJson, packageSummaryJson } from './package.view.ts';
import { type PackageRow, packageFiles, packages } from './packages.projection.ts';

/** Versions in the answer of one package. */
const MOST_VERSIONS = 100;
/** Packages that are sorted by what the read model does not have. */
const MOST_SORTED = 10_000;

export function packageRoutes(ports: RepoPorts): Implementation[] {
  const { commands, directory, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const summaryView = packageSummaryJson.renderer(ports);
  const groupView = packageOfGroupJson.renderer(ports);
  const view = packageJson.renderer(ports);
  const fileView = packageFileJson.renderer(ports);

  return [
    implement(listProjectPackages, async ({ params, project, page }) => {
      const where = and(eq('projectId', project.project.id), ...wanted(params));
      const { documents, next } = await pageOf(readStore, packages, { where, sort: orderOf(params), page });
      const isDeletable = mayDeletePackages(project);
      return {
        kind: 'list',
        items: summaryView.list(documents.map((row) => ({ ...row, isDeletable }))),
        next,
      };
    }),

    implement(listGroupPackages, async ({ params, group, principal, page }) => {
      const { exclude_subgroups: direct, order_by, sort } = params;
      const grants = await projectsWithReadablePackages(
        { directory, authorizer },
        {
          ...{ groupId: group.group.id, direct, principal },
        },
      );
      const byId = new Map(grants.map((grant) => [grant.project.id, grant]));
      const where = and(oneOf('projectId', [...byId.keys()]), ...wanted(params));
      const shown = (rows: readonly PackageRow[]) =>
        rows.map((row) => ({ ...row, isDeletable: mayDeletePackages(byId.get(row.projectId)!) }));
      if (order_by !== 'project_path') {
        const order = orderOf({ order_by, sort });
        const { documents, next } = await pageOf(readStore, packages, { where, sort: order, page });
        return { kind: 'list', items: groupView.list(shown(documents)), next };
      }
      const all = await readStore.find(packages, { where, sort: [asc('id')], limit: MOST_SORTED });
      const pathOf = (row: PackageRow) => byId.get(row.projectId)!.project.fullPath.toLowerCase();
      const { items, next } = pageOfArray(sortedBy(all, pathOf, sort), page, `packages by path ${sort}`, [
        { of: pathOf, direction: sort },
        { of: ({ id }) => id, direction: sort },
      ]);
      return { kind: 'list', items: groupView.list(shown(items)), next };
    }),

    implement(getPackage, async ({ params, project }) => {
      const row = await requirePackage(readStore, project, params.package_id);
      const { id, projectId, packageType, name } = row;
      const others = await readStore.find(packages, {
        where: and(
          ...[eq('projectId', projectId), eq('packageType', packageType), eq('name', name)],
          ...[not(eq('id', id)), oneOf('status', SHOWN)],
        ),
        sort: [asc('id')],
        limit: MOST_VERSIONS,
      });
      return json(view.one({ ...row, isDeletable: mayDeletePackages(project), versions: others }));
    }),

    implement(deletePackage, async ({ params, project, metadata }) => {
      const row = await requirePackage(readStore, project, params.package_id);
      const { id: packageId, projectId } = row;
      const command = { type: 'DeletePackage' as const, packageId, projectId };
      await commands.handle(packageDecider, packageStream(identityOf(row)), command, metadata);
      return noContent();
    }),

    implement(listPackageFiles, async ({ params, project, page }) => {
      const { id } = await requirePackage(readStore, project, params.package_id);
      return listPage(readStore, packageFiles, {
        ...{ where: eq('packageId', id), sort: [asc('id')], page, view: fileView },
      });
    }),

    implement(deletePackageFile, async ({ params, project, metadata }) => {
      const row = await requirePackage(readStore, project, params.package_id);
      const { id: packageId, projectId } = row;
      const { package_file_id: packageFileId } = params;
      const command = { type: 'DeletePackageFile' as const, packageId, projectId, packageFileId };
      await commands.handle(packageDecider, packageStream(identityOf(row)), command, metadata);
      return noContent();
    }),
  ];
}

type Filters = Omit<ParamsOf<typeof listProjectPackages>, 'id' | 'order_by' | 'sort'>;

/** What a list has unless a status is asked for. */
const SHOWN = ['default', 'error'];

function wanted(filters: Filters): Condition[] {
  const { package_type: type, package_name: name, package_version: version, status } = filters;
  return [
    ...(type === undefined ? [] : [eq('packageType', type)]),
    ...(name ? [includes('name', name)] : []),
    ...(version === undefined ? [] : [eq('version', version)]),
    ...(filters.include_versionless ? [] : [not(isEmpty('version'))]),
    oneOf('status', status === undefined ? SHOWN : [status]),
  ];
}

const FIELDS = { created_at: 'createdAt', name: 'name', version: 'version', type: 'packageType' } as const;

const orderOf = ({ order_by, sort }: { order_by: keyof typeof FIELDS; sort: 'asc' | 'desc' }): SortKey[] => [
  { field: FIELDS[order_by], direction: sort },
  { field: 'id', direction: sort },
];

function sortedBy(
  rows: readonly PackageRow[],
  of: (row: PackageRow) => string,
  direction: 'asc' | 'desc',
): PackageRow[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => sign * (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : a.id - b.id));
}
