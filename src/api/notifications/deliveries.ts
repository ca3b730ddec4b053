import { firstProblem } from '../../contract/check.ts';
import { type AnswerOf, operations } from '../../contract/operations.ts';

export type Deliveries = AnswerOf<'notificationDeliveries'>['items'];

/** The deliveries in a frame of the controller; none when the frame is not what it should be. */
export function deliveriesIn(payload: unknown): Deliveries {
  const answer = { enabled: true, ...(typeof payload === 'object' && payload !== null ? payload : {}) };
  const problem = firstProblem(operations.notificationDeliveries.answer, answer);
  // The schema of the answer was checked a line before.
  return problem === undefined ? (answer as unknown as AnswerOf<'notificationDeliveries'>).items : [];
}
