import {
  exposed,
  hardening,
  inTransit,
  oldTls,
  reachable,
  unchecked,
  unencrypted,
  unlogged,
  unprotected,
  weakAccess,
} from './families.ts';
import { terraformTable } from './terraform-table.ts';

/** Machines, containers, functions, networks and administration of AWS. */
export const terraformAwsServiceRules = [
  ...terraformTable(
    unencrypted,
    `
    root-disk-unencrypted | An instance’s root disk is not encrypted | aws_instance aws_launch_configuration | root_block_device.encrypted | true | CKV_AWS_8 AVD-AWS-0131
    extra-disk-unencrypted | An instance’s disk is not encrypted | aws_instance aws_launch_configuration | ebs_block_device?.encrypted or ebs_block_device?.snapshot_id | true | CKV_AWS_8 AVD-AWS-0131
    template-disk-unencrypted | A launch template’s disk is not encrypted | aws_launch_template | block_device_mappings?.ebs?.encrypted | true, if set | CKV_AWS_8 AVD-AWS-0131
    image-unencrypted | A machine image’s disk is not encrypted | aws_ami | ebs_block_device?.encrypted or ebs_block_device?.snapshot_id | true | CKV_AWS_204
    image-copy-unencrypted | A copy of a machine image is not encrypted | aws_ami_copy | encrypted | true | CKV_AWS_235
    codebuild-unencrypted | Results of a build are not encrypted | aws_codebuild_project | artifacts?.encryption_disabled | false | CKV_AWS_78 AVD-AWS-0018
    eks-secrets-unencrypted | Secrets of an EKS cluster are not encrypted with a key | aws_eks_cluster | encryption_config | set | CKV_AWS_58 AVD-AWS-0039
    cloudtrail-unencrypted | CloudTrail logs have no key of their own | aws_cloudtrail | kms_key_id | set | CKV_AWS_35 AVD-AWS-0015 CIS-AWS-3.5 | low
  `,
  ),
  ...terraformTable(
    exposed,
    `
    transfer-public | A transfer server is open to the Internet | aws_transfer_server | endpoint_type | one of VPC, VPC_ENDPOINT | CKV_AWS_164 | medium
    eks-nodes-ssh | Nodes of an EKS cluster accept SSH from everywhere | aws_eks_node_group | remote_access?.source_security_group_ids | set | CKV_AWS_100
    image-public | A machine image is shared with everyone | aws_ami_launch_permission | group | not all | CKV_AWS_205
  `,
  ),
  ...terraformTable(
    reachable,
    `
    instance-public-ip | An instance has a public address | aws_instance aws_launch_configuration | associate_public_ip_address | false | CKV_AWS_88 AVD-AWS-0009
    template-public-ip | A launch template gives instances a public address | aws_launch_template | network_interfaces?.associate_public_ip_address | false | CKV_AWS_88 AVD-AWS-0009
    subnet-public-ip | Machines in a subnet get public addresses | aws_subnet | map_public_ip_on_launch | false | CKV_AWS_130 AVD-AWS-0164 | low
    ecs-public-ip | Tasks of a service have public addresses | aws_ecs_service | network_configuration?.assign_public_ip | false | CKV_AWS_333
    default-vpc | The default network is used | aws_default_vpc aws_default_subnet | - Use a network of your own. | never | CKV_AWS_148 AVD-AWS-0101 | low
  `,
  ),
  ...terraformTable(
    inTransit,
    `
    elb-http | A classic load balancer serves without TLS | aws_elb | listener.lb_protocol | not http | CKV_AWS_376 AVD-AWS-0054
    target-http | A load balancer sends plain http to its targets | aws_lb_target_group aws_alb_target_group | protocol | not HTTP | CKV_AWS_378 | low
    cloudfront-behavior-http | A path of CloudFront serves without TLS | aws_cloudfront_distribution | ordered_cache_behavior?.viewer_protocol_policy | not allow-all | CKV_AWS_34 AVD-AWS-0012
    cloudfront-origin-http | CloudFront fetches from its origin without TLS | aws_cloudfront_distribution | origin?.custom_origin_config?.origin_protocol_policy | not http-only | AWS-FSBP-CloudFront.9
  `,
  ),
  ...terraformTable(
    oldTls,
    `
    api-old-tls | An API’s domain accepts old versions of TLS | aws_api_gateway_domain_name | security_policy | one of TLS_1_2, TLS_1_3*, SecurityPolicy_TLS1* | CKV_AWS_206 AVD-AWS-0005
    transfer-old-tls | A transfer server accepts old ciphers | aws_transfer_server | security_policy_name | not TransferSecurityPolicy-2018-11, TransferSecurityPolicy-2020-06 | CKV_AWS_380
  `,
  ),
  ...terraformTable(
    weakAccess,
    `
    api-no-auth | A method of an API can be called without signing in | aws_api_gateway_method unless http_method = OPTIONS | authorization | not NONE | CKV_AWS_59 AVD-AWS-0004 | low
    function-url-no-auth | A function’s URL can be called without signing in | aws_lambda_function_url | authorization_type | not NONE | CKV_AWS_258
    api-route-no-auth | A route of an API can be called without signing in | aws_apigatewayv2_route | authorization_type | not NONE | CKV_AWS_309 | low
    password-length | Passwords may be short | aws_iam_account_password_policy | minimum_password_length | >= 14 | CKV_AWS_10 AVD-AWS-0063 CIS-AWS-1.8
    password-reuse | Passwords may be used again | aws_iam_account_password_policy | password_reuse_prevention | >= 24 | CKV_AWS_13 AVD-AWS-0056 CIS-AWS-1.9 | low
    iam-user | AWS is used with a user instead of a role | aws_iam_user | - Use a role, or single sign-on for people. | never | CKV_AWS_273 | info
    user-policy | Permissions are attached to a user | aws_iam_user_policy aws_iam_user_policy_attachment | - Attach it to a group or a role. | never | CKV_AWS_40 AVD-AWS-0143 CIS-AWS-1.15 | low
    lambda-permission-public | Anyone can call a function | aws_lambda_permission | principal | not * | CKV_AWS_301 | high
  `,
  ),
  ...terraformTable(
    unlogged,
    `
    lb-unlogged | A load balancer keeps no access log | aws_lb aws_alb unless load_balancer_type = gateway | access_logs.enabled | true | CKV_AWS_91
    elb-unlogged | A classic load balancer keeps no access log | aws_elb | access_logs | set | CKV_AWS_92
    eks-unlogged | An EKS cluster keeps no audit log | aws_eks_cluster | enabled_cluster_log_types | set | CKV_AWS_37 AVD-AWS-0038
    ecs-unmonitored | An ECS cluster is not monitored | aws_ecs_cluster | setting.value | one of enabled, enhanced | CKV_AWS_65 AVD-AWS-0034
    api-unlogged | An API keeps no access log | aws_api_gateway_stage aws_apigatewayv2_stage | access_log_settings | set | CKV_AWS_76 CKV_AWS_95 AVD-AWS-0001
    cloudfront-unlogged | CloudFront keeps no access log | aws_cloudfront_distribution | logging_config | set | CKV_AWS_86 AVD-AWS-0010
    sfn-unlogged | Runs of a state machine are not logged | aws_sfn_state_machine | logging_configuration.include_execution_data | true | CKV_AWS_285 AWS-FSBP-StepFunctions.1
    sfn-untraced | Runs of a state machine are not traced | aws_sfn_state_machine | tracing_configuration.enabled | true | CKV_AWS_284
    lambda-untraced | A function’s calls are not traced | aws_lambda_function | tracing_config.mode | set | CKV_AWS_50 AVD-AWS-0066
    log-retention | A log group keeps everything forever | aws_cloudwatch_log_group | retention_in_days | set | CKV_AWS_66
    cloudtrail-stopped | CloudTrail does not record | aws_cloudtrail | enable_logging | true, if set | CKV_AWS_251 | medium
    config-one-region | AWS Config covers only one region | aws_config_configuration_aggregator | account_aggregation_source?.all_regions | true | CKV_AWS_121 AVD-AWS-0019
    guardduty-stopped | GuardDuty does not watch | aws_guardduty_detector | enable | true, if set | CKV_AWS_238 | medium
    appsync-unlogged | An AppSync API keeps no log | aws_appsync_graphql_api | log_config | set | CKV_AWS_193
    workgroup-overridden | Clients may override the settings of an Athena workgroup | aws_athena_workgroup | configuration.enforce_workgroup_configuration | true, if set | CKV_AWS_82 AVD-AWS-0007
    waf-unlogged | Requests that a firewall checks are not counted | aws_wafv2_web_acl | visibility_config.cloudwatch_metrics_enabled | true, if set | CKV_AWS_192
  `,
  ),
  ...terraformTable(
    unprotected,
    `
    lb-deletable | A load balancer can be deleted by mistake | aws_lb aws_alb | enable_deletion_protection | true | CKV_AWS_150
  `,
  ),
  ...terraformTable(
    hardening,
    `
    lb-invalid-headers | A load balancer passes invalid headers on | aws_lb aws_alb unless load_balancer_type = network, gateway | drop_invalid_header_fields | true | CKV_AWS_131 AVD-AWS-0052
    codebuild-privileged | A build runs in privileged mode | aws_codebuild_project | environment.privileged_mode | false | CKV_AWS_316 | medium
    cloudfront-no-waf | CloudFront has no firewall | aws_cloudfront_distribution | web_acl_id | set | CKV_AWS_68 AVD-AWS-0011
    glue-no-security | A Glue job or crawler has no security configuration | aws_glue_job aws_glue_crawler aws_glue_dev_endpoint | security_configuration | set | CKV_AWS_195
    emr-no-security | An EMR cluster has no security configuration | aws_emr_cluster | security_configuration | set | CKV_AWS_349
    api-untraced | Calls of an API’s stage are not traced | aws_api_gateway_stage | xray_tracing_enabled | true | CKV_AWS_73 AVD-AWS-0003
  `,
  ),
  ...terraformTable(
    unchecked,
    `
    ecr-unscanned | Images are not scanned for vulnerabilities | aws_ecr_repository | image_scanning_configuration.scan_on_push | true | CKV_AWS_163 AVD-AWS-0030
  `,
  ),
];
