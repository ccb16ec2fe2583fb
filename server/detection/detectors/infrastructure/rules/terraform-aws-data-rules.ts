import { hardening, inTransit, oldTls, ownKey, reachable, unencrypted, unlogged, unprotected } from './families.ts';
import { terraformTable } from './terraform-table.ts';

/** Databases, storage, queues and streams of AWS. */
export const terraformAwsDataRules = [
  ...terraformTable(
    unencrypted,
    `
    neptune-unencrypted | A Neptune database is not encrypted | aws_neptune_cluster | storage_encrypted | true | CKV_AWS_44 AVD-AWS-0076
    docdb-unencrypted | A DocumentDB database is not encrypted | aws_docdb_cluster | storage_encrypted | true | CKV_AWS_74 AVD-AWS-0021
    rds-global-unencrypted | A global RDS cluster is not encrypted | aws_rds_global_cluster | storage_encrypted or source_db_cluster_identifier | true | CKV_AWS_140
    elasticache-at-rest | ElastiCache data is not encrypted at rest | aws_elasticache_replication_group | at_rest_encryption_enabled | true | CKV_AWS_29 AVD-AWS-0045
    search-at-rest | A search domain is not encrypted at rest | aws_elasticsearch_domain aws_opensearch_domain | encrypt_at_rest.enabled | true | CKV_AWS_5 AVD-AWS-0048
    dax-unencrypted | A DynamoDB accelerator is not encrypted | aws_dax_cluster | server_side_encryption.enabled | true | CKV_AWS_47 AVD-AWS-0023
    sns-unencrypted | Messages of an SNS topic are not encrypted | aws_sns_topic | kms_master_key_id | set | CKV_AWS_26 AVD-AWS-0095 | low
    sqs-unencrypted | Messages of an SQS queue are not encrypted | aws_sqs_queue | sqs_managed_sse_enabled or kms_master_key_id | true | CKV_AWS_27 AVD-AWS-0096 | low
    kinesis-unencrypted | A Kinesis stream is not encrypted | aws_kinesis_stream | encryption_type | one of KMS | CKV_AWS_43 AVD-AWS-0064
    firehose-unencrypted | A Firehose stream is not encrypted | aws_kinesis_firehose_delivery_stream | server_side_encryption.enabled or kinesis_source_configuration | true | CKV_AWS_240
    fsx-unencrypted | An FSx file system has no key of its own | aws_fsx_lustre_file_system aws_fsx_windows_file_system aws_fsx_ontap_file_system aws_fsx_openzfs_file_system | kms_key_id | set | CKV_AWS_178 CKV_AWS_190 CKV_AWS_203 | low
    athena-unencrypted | Athena results are not encrypted | aws_athena_database | encryption_configuration | set | CKV_AWS_77 AVD-AWS-0006
    athena-workgroup-unencrypted | Athena results of a workgroup are not encrypted | aws_athena_workgroup | configuration.result_configuration?.encryption_configuration | set | CKV_AWS_159 AVD-AWS-0006
    glue-catalog-unencrypted | A Glue data catalog is not encrypted | aws_glue_data_catalog_encryption_settings | data_catalog_encryption_settings.encryption_at_rest.catalog_encryption_mode | not DISABLED | CKV_AWS_94
    glue-passwords-unencrypted | Passwords of Glue’s connections are not encrypted | aws_glue_data_catalog_encryption_settings | data_catalog_encryption_settings.connection_password_encryption.return_connection_password_encrypted | true | CKV_AWS_94
    glue-logs-unencrypted | Glue’s logs are not encrypted | aws_glue_security_configuration | encryption_configuration.cloudwatch_encryption.cloudwatch_encryption_mode | one of SSE-KMS | CKV_AWS_99
    glue-bookmarks-unencrypted | Bookmarks of Glue’s jobs are not encrypted | aws_glue_security_configuration | encryption_configuration.job_bookmarks_encryption.job_bookmarks_encryption_mode | one of CSE-KMS | CKV_AWS_99
    glue-results-unencrypted | Results of Glue’s jobs are not encrypted | aws_glue_security_configuration | encryption_configuration.s3_encryption.s3_encryption_mode | one of SSE-KMS, SSE-S3 | CKV_AWS_99
    ebs-copy-unencrypted | A copy of an EBS snapshot is not encrypted | aws_ebs_snapshot_copy | encrypted | true | CKV_AWS_183
    ebs-default-unencrypted | New EBS volumes are not encrypted | aws_ebs_encryption_by_default | enabled | true, if set | CKV_AWS_106
    workspace-unencrypted | A workspace’s disks are not encrypted | aws_workspaces_workspace | root_volume_encryption_enabled | true | CKV_AWS_155 AVD-AWS-0109
    workspace-user-unencrypted | A workspace’s user disk is not encrypted | aws_workspaces_workspace | user_volume_encryption_enabled | true | CKV_AWS_156 AVD-AWS-0109
  `,
  ),
  ...terraformTable(
    ownKey,
    `
    dynamodb-own-key | A DynamoDB table has no key of its own | aws_dynamodb_table | server_side_encryption.enabled | true | CKV_AWS_119 AVD-AWS-0025
    secret-own-key | A secret has no key of its own | aws_secretsmanager_secret | kms_key_id | set | CKV_AWS_149 AVD-AWS-0098
    ecr-own-key | An image repository has no key of its own | aws_ecr_repository | encryption_configuration.encryption_type | one of KMS* | CKV_AWS_136 AVD-AWS-0033
    log-group-own-key | A log group has no key of its own | aws_cloudwatch_log_group | kms_key_id | set | CKV_AWS_158 AVD-AWS-0017
    backup-own-key | A backup vault has no key of its own | aws_backup_vault | kms_key_arn | set | CKV_AWS_166
    msk-own-key | A Kafka cluster has no key of its own | aws_msk_cluster | encryption_info.encryption_at_rest_kms_key_arn | set | CKV_AWS_81
    sagemaker-own-key | A notebook’s disk has no key of its own | aws_sagemaker_notebook_instance | kms_key_id | set | CKV_AWS_22
    sagemaker-endpoint-own-key | An endpoint’s disk has no key of its own | aws_sagemaker_endpoint_configuration | kms_key_arn | set | CKV_AWS_98
    redshift-own-key | A Redshift cluster has no key of its own | aws_redshift_cluster | kms_key_id | set | CKV_AWS_142
    kinesis-video-own-key | A video stream has no key of its own | aws_kinesis_video_stream | kms_key_id | set | CKV_AWS_177
  `,
  ),
  ...terraformTable(
    inTransit,
    `
    search-http | A search domain accepts plain http | aws_elasticsearch_domain aws_opensearch_domain | domain_endpoint_options.enforce_https | true | CKV_AWS_83 AVD-AWS-0046
    search-nodes | Traffic between nodes of a search domain is not encrypted | aws_elasticsearch_domain aws_opensearch_domain | node_to_node_encryption.enabled | true | CKV_AWS_6 AVD-AWS-0043
    msk-plaintext | A Kafka cluster accepts plain connections | aws_msk_cluster | encryption_info.encryption_in_transit?.client_broker | not PLAINTEXT, TLS_PLAINTEXT | CKV_AWS_81 AVD-AWS-0073
    msk-cluster-plaintext | Traffic between Kafka brokers is not encrypted | aws_msk_cluster | encryption_info.encryption_in_transit?.in_cluster | true, if set | CKV_AWS_81 AVD-AWS-0073
    efs-mount-plaintext | A task mounts EFS without encryption | aws_ecs_task_definition | volume?.efs_volume_configuration?.transit_encryption | one of ENABLED | CKV_AWS_97
    dax-plaintext | Connections to a DynamoDB accelerator are not encrypted | aws_dax_cluster | cluster_endpoint_encryption_type | one of TLS | CKV_AWS_239
  `,
  ),
  ...terraformTable(
    oldTls,
    `
    search-old-tls | A search domain accepts old versions of TLS | aws_elasticsearch_domain aws_opensearch_domain | domain_endpoint_options.tls_security_policy | one of Policy-Min-TLS-1-2* | CKV_AWS_228 AVD-AWS-0126
  `,
  ),
  ...terraformTable(
    reachable,
    `
    search-public | A search domain is not in a private network | aws_elasticsearch_domain aws_opensearch_domain | vpc_options | set | CKV_AWS_137 CKV_AWS_248 | low
    neptune-public | A Neptune database is open to the Internet | aws_neptune_cluster_instance | publicly_accessible | false | CKV_AWS_102 | high
    msk-public | A Kafka cluster is open to the Internet | aws_msk_cluster | broker_node_group_info?.connectivity_info?.public_access?.type | one of DISABLED | CKV_AWS_291 | high
    sagemaker-internet | A notebook has direct access to the Internet | aws_sagemaker_notebook_instance | direct_internet_access | one of Disabled | CKV_AWS_122
  `,
  ),
  ...terraformTable(
    unlogged,
    `
    rds-unlogged | An RDS database exports no logs | aws_db_instance aws_rds_cluster | enabled_cloudwatch_logs_exports | set | CKV_AWS_129 CKV_AWS_324
    neptune-unlogged | A Neptune database exports no logs | aws_neptune_cluster | enable_cloudwatch_logs_exports | set | CKV_AWS_101 AVD-AWS-0075
    docdb-unlogged | A DocumentDB database exports no logs | aws_docdb_cluster | enabled_cloudwatch_logs_exports | set | CKV_AWS_85 AVD-AWS-0020
    search-unlogged | A search domain publishes no logs | aws_elasticsearch_domain aws_opensearch_domain | log_publishing_options | set | CKV_AWS_84 CKV_AWS_317 AVD-AWS-0042
    mq-unlogged | A message broker keeps no logs | aws_mq_broker | logs.general | true | CKV_AWS_48 AVD-AWS-0070
    msk-unlogged | A Kafka cluster keeps no logs | aws_msk_cluster | logging_info | set | CKV_AWS_80 AVD-AWS-0074
  `,
  ),
  ...terraformTable(
    unprotected,
    `
    rds-deletable | An RDS database can be deleted by mistake | aws_db_instance aws_rds_cluster | deletion_protection or replicate_source_db | true | CKV_AWS_139 CKV_AWS_293 AVD-AWS-0177
    rds-no-backup | An RDS database has no backups | aws_db_instance | backup_retention_period or replicate_source_db | >= 1 | CKV_AWS_133 AVD-AWS-0077 | medium
    rds-short-backup | Backups of an RDS cluster are kept for a single day | aws_rds_cluster | backup_retention_period | >= 2 | CKV_AWS_133 AVD-AWS-0077
    neptune-deletable | A Neptune database can be deleted by mistake | aws_neptune_cluster | deletion_protection | true | CKV_AWS_347
    neptune-short-backup | Backups of a Neptune database are kept for less than a week | aws_neptune_cluster | backup_retention_period | >= 7 | CKV_AWS_361
    docdb-deletable | A DocumentDB database can be deleted by mistake | aws_docdb_cluster | deletion_protection | true | AWS-FSBP-DocumentDB.5
    docdb-short-backup | Backups of a DocumentDB database are kept for less than a week | aws_docdb_cluster | backup_retention_period | >= 7 | CKV_AWS_360
    dynamodb-no-recovery | A DynamoDB table can’t be restored to an earlier time | aws_dynamodb_table | point_in_time_recovery.enabled | true | CKV_AWS_28 AVD-AWS-0024
    elasticache-no-backup | A Redis cluster has no backups | aws_elasticache_cluster | snapshot_retention_limit or replication_group_id | >= 1 | CKV_AWS_134 AVD-AWS-0050
    redshift-no-snapshots | A Redshift cluster keeps no snapshots | aws_redshift_cluster | automated_snapshot_retention_period | >= 1, if set | CKV_AWS_343
  `,
  ),
  ...terraformTable(
    hardening,
    `
    neptune-iam | A Neptune database accepts connections without IAM | aws_neptune_cluster | iam_database_authentication_enabled | true | CKV_AWS_359
    rds-no-upgrades | An RDS database does not install minor upgrades | aws_db_instance aws_rds_cluster_instance | auto_minor_version_upgrade | true, if set | CKV_AWS_226
    elasticache-no-token | A Redis cluster accepts connections without a password | aws_elasticache_replication_group | auth_token or user_group_ids | set | CKV_AWS_31
    sagemaker-root | Users of a notebook are root | aws_sagemaker_notebook_instance | root_access | one of Disabled | CKV_AWS_307
    redshift-routing | Traffic of a Redshift cluster leaves its network | aws_redshift_cluster | enhanced_vpc_routing | true | CKV_AWS_321
  `,
  ),
];
