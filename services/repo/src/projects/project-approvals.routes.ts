import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  getProjectApprovals,
  setProjectApprovals,
} from '@forgelog/contracts/repo/projects/project-approvals.api.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from './project.collection.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectApprovalsJson } from './project-approvals.view.ts';
import { type ProjectSettings, settingsOf } from './project-settings.rules.ts';

/** What projects say of approvals: some of their settings, under an address of their own. */
export function projectApprovalRoutes(ports: RepoPorts): Implementation[] {
  const { commands, readStore, storages } = ports;
  const view = projectApprovalsJson.renderer(ports);

  async function answerOf(projectId: number) {
    const project = await readStore.get(projects, projectId);
    if (!project) throw new Rejection('not_found', { what: 'Project' });
    return json(view.one(settingsOf(project.settings as ProjectSettings)));
  }

  return [
    implement(getProjectApprovals, async ({ project }) => answerOf(project.project.id)),

    implement(setProjectApprovals, async ({ params, project, metadata }) => {
      const { id: _, require_password_to_approve: asksPassword, ...given } = params;
      if (asksPassword)
        throw new Rejection('validation_failed', {
          fields: { require_password_to_approve: ['cannot be set: approvals ask for no password here'] },
        });
      const projectId = project.project.id;
      const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      await commands.handle(
        projectDecider,
        projectStream(projectId),
        {
          type: 'UpdateProject',
          ...{ projectId, changes: { settings }, groupVisibility: null, originVisibility: null },
          storages: storages.all,
        },
        metadata,
      );
      return answerOf(projectId);
    }),
  ];
}
