import type { SecretRule } from '../rule.ts';
import { vendorRule } from './provider-rule.ts';

/** Currency exchanges. */
export const exchangeRules: SecretRule[] = [
  vendorRule({
    id: 'coinbase-access-token',
    name: 'Coinbase API secret',
    severity: 'critical',
    can: 'read balances and, as permitted, move funds',
    revoke: 'Coinbase: Settings, API',
    vendor: ['coinbase'],
    shapes: ['{url:64}', '{alnum:32}', '{b64:86}=='],
  }),
  vendorRule({
    id: 'binance-api-key',
    name: 'Binance API key or secret',
    severity: 'critical',
    can: 'read balances and, as permitted, trade and withdraw',
    revoke: 'Binance: API management',
    vendor: ['binance'],
    shapes: '{alnum:64}',
  }),
  vendorRule({
    id: 'kraken-access-token',
    name: 'Kraken API secret',
    severity: 'critical',
    can: 'read balances and, as permitted, trade and withdraw',
    revoke: 'Kraken: Settings, API',
    vendor: ['kraken'],
    shapes: ['{b64:86}==', '{b64:56}'],
  }),
  vendorRule({
    id: 'kucoin-secret-key',
    name: 'KuCoin API secret',
    severity: 'critical',
    can: 'read balances and, as permitted, trade and withdraw',
    revoke: 'KuCoin: API management',
    vendor: ['kucoin'],
    shapes: ['{uuid}', '{hex:24}'],
  }),
  vendorRule({
    id: 'bittrex-secret-key',
    name: 'Bittrex API key or secret',
    severity: 'high',
    can: 'read balances and, as permitted, trade',
    revoke: 'Bittrex: Settings, API keys',
    vendor: ['bittrex'],
    shapes: '{alnum:32}',
  }),
];
