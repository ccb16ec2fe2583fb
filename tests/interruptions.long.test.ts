import { testInterruptions } from './interruptions.fixture.ts';

testInterruptions(16);
