import { expect, test } from 'vitest';
import { avatarPath, uploadPath } from './upload-address.ts';

const ID = '0123456789abcdef'.repeat(2);

test('links to uploads are addresses of the API', () => {
  for (const [path, asked] of [
    [`/ada/engine/uploads/${ID}/a%20b.png`, `/projects/ada%2Fengine/uploads/${ID}/a%20b.png`],
    [`/team/sub/engine/uploads/${ID}/x`, `/projects/team%2Fsub%2Fengine/uploads/${ID}/x`],
    [`/team/uploads/uploads/${ID}/x`, `/projects/team%2Fuploads/uploads/${ID}/x`],
    [`/-/project/7/uploads/${ID}/x`, `/projects/7/uploads/${ID}/x`],
    [`/ada/engine/-/wikis/uploads/${ID}/x`, `/projects/ada%2Fengine/wikis/uploads/${ID}/x`],
    [`/groups/team/sub/-/wikis/uploads/${ID}/x`, `/groups/team%2Fsub/wikis/uploads/${ID}/x`],
  ] as const)
    expect(uploadPath(path), path).toBe(asked);
});

test('other addresses are no uploads', () => {
  for (const path of [
    `/ada/uploads/${ID}/x`,
    `/uploads/-/system/user/avatar/1/x.png`,
    `/ada/engine/uploads/${ID}`,
    `/ada/engine/uploads/${ID}/`,
    `/ada/engine/uploads/${ID}/a/b`,
    `/ada/engine/uploads/${ID.toUpperCase()}/x`,
    `/team/uploads/${ID}/git-upload-pack`,
    `/team/sub/uploads/${ID}/git-receive-pack`,
    '/ada/engine/uploads/abc/x',
  ])
    expect(uploadPath(path), path).toBeUndefined();
});

test('addresses of avatars are addresses of the API', () => {
  for (const kind of ['user', 'group', 'project'])
    expect(avatarPath(`/uploads/-/system/${kind}/avatar/7/a.png`)).toBe(`/${kind}s/7/avatar`);
  for (const path of [
    '/uploads/-/system/note/avatar/7/a.png',
    '/uploads/-/system/user/avatar/7',
    '/uploads/-/system/user/avatar/x/a.png',
    '/ada/uploads/-/system/user/avatar/7/a.png',
  ])
    expect(avatarPath(path), path).toBeUndefined();
});
