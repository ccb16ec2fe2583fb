import Type from 'typebox';

const text = (maxLength = 100_000) => Type.String({ maxLength });
const optionalText = Type.Optional(Type.String({ maxLength: 100_000 }));
/** Browsers add fields with new versions of WebAuthn. */
const open = (id: string) => ({ $id: id, additionalProperties: true });

const PasskeyDescriptor = Type.Object(
  { id: Type.String(), type: Type.String(), transports: Type.Optional(Type.Array(Type.String())) },
  { $id: 'PasskeyDescriptor' },
);

export const PasskeyRequestOptions = Type.Object(
  {
    challenge: Type.String(),
    rpId: Type.Optional(Type.String()),
    timeout: Type.Optional(Type.Integer()),
    userVerification: Type.Optional(Type.String()),
    allowCredentials: Type.Optional(Type.Array(PasskeyDescriptor)),
  },
  {
    ...open('PasskeyRequestOptions'),
    description: 'What `navigator.credentials.get()` takes: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn.',
  },
);

export const requestOptionsExample = {
  challenge: 'gKx7o1cXrHq9vGmT5Yl0eA2bJ3nPzQ8s',
  rpId: 'assay.example.com',
  timeout: 60_000,
  userVerification: 'required',
};

const RelyingParty = Type.Object(
  { id: Type.Optional(Type.String()), name: Type.String() },
  open('PasskeyRelyingParty'),
);
const PasskeyUser = Type.Object(
  { id: Type.String(), name: Type.String(), displayName: Type.String() },
  open('PasskeyUser'),
);
const PasskeyAlgorithm = Type.Object({ type: Type.String(), alg: Type.Integer() }, open('PasskeyAlgorithm'));

export const PasskeyCreationOptions = Type.Object(
  {
    challenge: Type.String(),
    rp: RelyingParty,
    user: PasskeyUser,
    pubKeyCredParams: Type.Array(PasskeyAlgorithm),
    timeout: Type.Optional(Type.Integer()),
    attestation: Type.Optional(Type.String()),
    excludeCredentials: Type.Optional(Type.Array(PasskeyDescriptor)),
  },
  {
    ...open('PasskeyCreationOptions'),
    description: 'What `navigator.credentials.create()` takes: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn.',
  },
);

export const creationOptionsExample = {
  challenge: 'gKx7o1cXrHq9vGmT5Yl0eA2bJ3nPzQ8s',
  rp: { id: 'assay.example.com', name: 'Assay' },
  user: { id: 'dXNyXzAxamQ', name: 'ada@example.com', displayName: 'Ada Lovelace' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  attestation: 'none',
};

const AssertionResponse = Type.Object(
  { clientDataJSON: text(), authenticatorData: text(), signature: text(), userHandle: optionalText },
  open('PasskeyAssertionResponse'),
);

const PasskeyAssertion = Type.Object(
  {
    id: text(2_000),
    rawId: text(2_000),
    type: text(100),
    response: AssertionResponse,
  },
  {
    ...open('PasskeyAssertion'),
    description: 'What `navigator.credentials.get()` returned: `AuthenticationResponseJSON` of WebAuthn.',
  },
);

const AttestationResponse = Type.Object(
  { clientDataJSON: text(), attestationObject: text(200_000) },
  open('PasskeyAttestationResponse'),
);

export const PasskeyAttestation = Type.Object(
  {
    id: text(2_000),
    rawId: text(2_000),
    type: text(100),
    response: AttestationResponse,
  },
  {
    ...open('PasskeyAttestation'),
    description: 'What `navigator.credentials.create()` returned: `RegistrationResponseJSON` of WebAuthn.',
  },
);

export const assertionExample = {
  id: 'Zm9v',
  rawId: 'Zm9v',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
};

export const attestationExample = {
  id: 'Zm9v',
  rawId: 'Zm9v',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'AA' },
};

export const PasskeySignIn = Type.Object({ credential: PasskeyAssertion }, { $id: 'PasskeySignIn' });
