/** The routes by which people look at what is watched: catalog, topology, playbooks, logs, files. */
import type { FastifyInstance } from 'fastify';
import { createExpressions } from '../platform/expressions/expression-thread.ts';
import { registerAbsentEngines } from './absent-engines.ts';
import { registerArtifactRoutes } from '../health/routes/artifacts-routes.ts';
import { registerCatalogRoutes } from '../catalog/routes/catalog-routes.ts';
import { registerScrapeRoutes } from '../catalog/routes/scrape-routes.ts';
import { registerDoneRoutes } from '../incidents/routes/done-routes.ts';
import { createLogFiles } from '../logs/log-files.ts';
import { registerLogsRoutes } from '../logs/logs-routes.ts';
import { registerPlaybookRoutes, registerPlaybookRunRoutes } from '../playbooks/routes/playbook-routes.ts';
import { registerParameterSchemaRoutes } from '../playbooks/routes/parameter-schema-routes.ts';
import { registerOutputRoutes } from '../playbooks/routes/output-routes.ts';
import { registerApprovalRoutes } from '../playbooks/approvals/approval-routes.ts';
import { registerWebhookRoutes } from '../playbooks/triggers/webhook-routes.ts';
import { registerPreviewRoutes } from '../notifications/rules/preview-routes.ts';
import type { AppContext } from './backend.ts';
import { registerSnapshotRoutes } from '../replication/snapshot/snapshot-routes.ts';
import { registerTopologyRoutes, registerTopologyRunRoutes } from '../topology/topology-routes.ts';

/** The routes of what is watched; their scripts share one thread. */
export function registerResourceRoutes(app: FastifyInstance, context: AppContext): void {
  // Its thread starts with the first expression, so it costs nothing where there are none.
  const expressions = createExpressions();
  app.addHook('onClose', () => expressions.close());

  registerCatalogRoutes(app, context);
  registerScrapeRoutes(app, context);
  registerTopologyRoutes(app, context, expressions);
  registerTopologyRunRoutes(app, context);
  registerPlaybookRoutes(app, context, expressions);
  registerPlaybookRunRoutes(app, context);
  registerParameterSchemaRoutes(app, context);
  registerApprovalRoutes(app, context);
  registerWebhookRoutes(app, () => context.backend().triggers.webhooks);
  registerOutputRoutes(app, context);
  registerDoneRoutes(app, context, expressions);
  registerPreviewRoutes(app, context, expressions);
  registerLogsRoutes(app, context, expressions);
  registerSnapshotRoutes(app, context, (asked, reader) =>
    createLogFiles(context.backend().logs, expressions)(asked, reader),
  );
  registerArtifactRoutes(app, context);
  registerAbsentEngines(app, context);
}
