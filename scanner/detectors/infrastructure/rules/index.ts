import type { InfrastructureRule } from '../rule.ts';
import { cloudFormationRules } from './cloudformation-rules.ts';
import { composeRules } from './compose-rules.ts';
import { dockerfileRules } from './dockerfile-rules.ts';
import { dockerfileRunRules } from './dockerfile-run-rules.ts';
import { githubStepRules } from './github-step-rules.ts';
import { githubTrustRules } from './github-trust-rules.ts';
import { githubWorkflowRules } from './github-workflow-rules.ts';
import { gitlabRules } from './gitlab-rules.ts';
import { kubernetesAccessRules } from './kubernetes-access-rules.ts';
import { kubernetesHardeningRules } from './kubernetes-hardening-rules.ts';
import { kubernetesPodRules } from './kubernetes-pod-rules.ts';
import { kubernetesPrivilegeRules } from './kubernetes-privilege-rules.ts';
import { terraformAccessRules } from './terraform-access-rules.ts';
import { terraformAwsDataRules } from './terraform-aws-data-rules.ts';
import { terraformAwsRules } from './terraform-aws-rules.ts';
import { terraformAwsServiceRules } from './terraform-aws-service-rules.ts';
import { terraformAwsWorkloadRules } from './terraform-aws-workload-rules.ts';
import { terraformAzureRules } from './terraform-azure-rules.ts';
import { terraformCloudRules } from './terraform-cloud-rules.ts';
import { terraformGoogleRules } from './terraform-google-rules.ts';
import { terraformLinkedRules } from './terraform-linked-rules.ts';
import { terraformNetworkRules } from './terraform-network-rules.ts';
import { terraformPolicyRules } from './terraform-policy-rules.ts';
import { terraformSecretRules } from './terraform-secret-rules.ts';

/** Every check; each is for one kind of file. */
export const rules = [
  ...dockerfileRules,
  ...dockerfileRunRules,
  ...composeRules,
  ...kubernetesPodRules,
  ...kubernetesPrivilegeRules,
  ...kubernetesHardeningRules,
  ...kubernetesAccessRules,
  ...terraformNetworkRules,
  ...terraformAwsRules,
  ...terraformAwsDataRules,
  ...terraformAwsServiceRules,
  ...terraformAwsWorkloadRules,
  ...terraformCloudRules,
  ...terraformAzureRules,
  ...terraformGoogleRules,
  ...terraformLinkedRules,
  ...terraformAccessRules,
  ...terraformPolicyRules,
  ...terraformSecretRules,
  ...cloudFormationRules,
  ...githubStepRules,
  ...githubTrustRules,
  ...githubWorkflowRules,
  ...gitlabRules,
] as unknown as InfrastructureRule[];
