import { clientKeyView } from '@forgelog/contracts/tracker/error-tracking/client-key.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';

export interface ShownKey {
  id: number;
  publicKey: string;
  dsn: string;
}

export const clientKeyJson = implementView(clientKeyView).from<ShownKey>({
  id: 'id',
  active: true,
  public_key: 'publicKey',
  sentry_dsn: 'dsn',
});
