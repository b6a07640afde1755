/** A repository over HTTP and a cluster whose pods run by a script, with a playbook that works on both. */
import type { Page } from '@playwright/test';
import { GIT_PASSWORD, startGitServer } from '../../server/playbooks/actions/testing/git-server.ts';
import type { GitServer } from '../../server/playbooks/actions/testing/git-server.ts';
import { startPodCluster } from '../../server/playbooks/actions/testing/pod-cluster.ts';
import type { PodCluster } from '../../server/playbooks/actions/testing/pod-cluster.ts';

const PATH = '/acme/estate.git';
/** Where the service says that the pull request is. */
export const PULL_REQUEST = 'https://git.example.com/acme/estate/pulls/7';

export interface PlaybookSystems {
  cluster: PodCluster;
  /** A file as a branch of the repository has it. */
  fileOn: (branch: string, file: string) => Promise<string>;
  close: () => Promise<void>;
}

const SPEC = {
  icon: 'kubernetes',
  parameters: [{ name: 'version', label: 'Version', icon: 'server', required: true }],
  actions: [
    {
      name: 'Change',
      gitops: {
        repo: {
          connection: 'connection://default/estate',
          type: 'gitea',
          branch: 'release-{{.params.version}}',
        },
        commit: { message: 'Release {{.params.version}}' },
        patches: [{ path: 'app.yaml', yq: '.image = "shop:{{.params.version}}"' }],
        pr: { title: 'Release {{.params.version}}' },
      },
    },
    {
      name: 'Check',
      pod: {
        name: 'check',
        connection: 'connection://default/cluster',
        spec: {
          containers: [{ name: 'job', image: 'busybox', args: ['{{ (getAction "Change").result.commit }}'] }],
        },
      },
    },
  ],
};

async function post(admin: Page, path: string, data: object): Promise<void> {
  const { origin } = new URL(admin.url());
  const answer = await admin.request.post(`${origin}/api/db/${path}`, { headers: { origin }, data });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
}

function answerPullRequests(git: GitServer): void {
  git.api = ({ method, path }) =>
    method === 'POST' && path.endsWith('/pulls')
      ? { status: 201, body: { number: 7, html_url: PULL_REQUEST } }
      : { status: 404, body: {} };
}

/** As the administrator of this page, adds both with connections, and the playbook "Release". */
export async function addPlaybookSystems(admin: Page): Promise<PlaybookSystems> {
  const [git, cluster] = await Promise.all([startGitServer(), startPodCluster()]);
  await git.add(PATH, { 'app.yaml': 'image: shop:1.0 # pinned\n' });
  answerPullRequests(git);
  cluster.scripts = { job: { lines: ['looking\n', 'all pods are ready\n'], exitCode: 0 } };
  await post(admin, 'connections', {
    name: 'estate',
    type: 'git',
    url: `${git.url}${PATH}`,
    password: GIT_PASSWORD,
  });
  await post(admin, 'connections', { name: 'cluster', type: 'kubernetes', certificate: cluster.kubeconfig });
  await post(admin, 'playbooks', { name: 'Release', title: 'Release', source: 'UI', spec: SPEC });
  return {
    cluster,
    fileOn: (branch, file) => git.git(PATH, 'show', `${branch}:${file}`),
    close: async () => {
      await Promise.all([git.close(), cluster.close()]);
    },
  };
}
