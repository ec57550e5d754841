import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { readyPage } from '../../shared/page.ts';
import { searchRequest } from '../../shared/search.ts';

export const searchUsers = defineOperation({
  id: 'search-users',
  service: 'admin',
  summary: 'One page of the users that a search finds, among the members of a place where one is named',
  effect: 'read',
  request: z.strictObject(searchRequest),
  answer: readyPage,
});

export const userSearchOperations = [searchUsers];
