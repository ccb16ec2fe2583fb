import {
  exposed,
  hardening,
  inTransit,
  oldTls,
  ownKey,
  unchecked,
  unlogged,
  unprotected,
  unrotated,
  weakAccess,
} from './families.ts';
import { terraformTable } from './terraform-table.ts';

const machines = 'google_compute_instance google_compute_instance_template google_compute_instance_from_template';
const clusters = 'google_container_cluster';
const pools = 'google_container_node_pool';
const scopes = ['project', 'folder', 'organization'].flatMap((scope) => [
  `google_${scope}_iam_member`,
  `google_${scope}_iam_binding`,
]);

/** Settings of Google Cloud’s resources. */
export const terraformGoogleRules = [
  ...terraformTable(ownKey, [
    'gcp-disk-own-key | A disk has no key of its own | low | CKV_GCP_37@google_compute_disk AVD-GCP-0034 | google_compute_disk google_compute_region_disk | disk_encryption_key | set',
    'gcp-boot-own-key | A boot disk has no key of its own | low | CKV_GCP_38 AVD-GCP-0033 | google_compute_instance | boot_disk.kms_key_self_link or boot_disk.disk_encryption_key_raw | set',
    'gcp-bigquery-own-key | A BigQuery dataset has no key of its own | low | CKV_GCP_81 | google_bigquery_dataset | default_encryption_configuration | set',
    'gcp-bigquery-table-own-key | A BigQuery table has no key of its own | low | CKV_GCP_80 | google_bigquery_table | encryption_configuration | set',
    'gcp-pubsub-own-key | A Pub/Sub topic has no key of its own | low | CKV_GCP_83 | google_pubsub_topic | kms_key_name | set',
    'gcp-registry-own-key | An artifact registry has no key of its own | low | CKV_GCP_84 | google_artifact_registry_repository | kms_key_name | set',
    'gcp-bigtable-own-key | A Bigtable cluster has no key of its own | low | CKV_GCP_85 | google_bigtable_instance | cluster.kms_key_name | set',
    'gcp-spanner-own-key | A Spanner database has no key of its own | low | CKV_GCP_93 | google_spanner_database | encryption_config | set',
    'gcp-dataproc-own-key | A Dataproc cluster has no key of its own | low | CKV_GCP_91 | google_dataproc_cluster | cluster_config.encryption_config | set',
    'gcp-dataflow-own-key | A Dataflow job has no key of its own | low | CKV_GCP_90 | google_dataflow_job | kms_key_name | set',
    'gcp-gke-secrets | Secrets of a GKE cluster are not encrypted with a key | low | CIS-GKE-5.3.1 | google_container_cluster | database_encryption.state | one of ENCRYPTED',
  ]),
  ...terraformTable(inTransit, [
    'gcp-sql-plain | A Cloud SQL database accepts plain connections | medium | CKV_GCP_6 AVD-GCP-0015 CIS-GCP-6.4 | google_sql_database_instance | settings.ip_configuration.require_ssl or settings.ip_configuration.ssl_mode | one of true, ENCRYPTED_ONLY, TRUSTED_CLIENT_CERTIFICATE_REQUIRED',
    'gcp-redis-plain | A Redis instance accepts plain connections | medium | CKV_GCP_97 | google_redis_instance | transit_encryption_mode | one of SERVER_AUTHENTICATION',
    'gcp-function-http | A function accepts plain http | medium | CKV2_GCP_10 | google_cloudfunctions_function where trigger_http = true | https_trigger_security_level | one of SECURE_ALWAYS',
  ]),
  ...terraformTable(oldTls, [
    'gcp-old-tls | A policy of TLS allows old versions | medium | CKV_GCP_4@google_compute_ssl_policy AVD-GCP-0039 | google_compute_ssl_policy google_compute_region_ssl_policy | min_tls_version or profile | one of TLS_1_2, TLS_1_3, RESTRICTED',
  ]),
  ...terraformTable(exposed, [
    `gcp-public-ip | A machine has a public address | medium | CKV_GCP_40 AVD-GCP-0031 CIS-GCP-4.9 | ${machines} | network_interface?.access_config | not set`,
    'gcp-sql-public | A Cloud SQL database has a public address | low | CKV_GCP_60 AVD-GCP-0017 CIS-GCP-6.6 | google_sql_database_instance | settings.ip_configuration.ipv4_enabled | false, set',
    `gcp-gke-public | The API of a GKE cluster is open to the Internet | medium | CKV_GCP_20 CKV_GCP_18 AVD-GCP-0061 | ${clusters} | master_authorized_networks_config or private_cluster_config.enable_private_endpoint | set`,
    `gcp-gke-public-nodes | Nodes of a GKE cluster have public addresses | medium | CKV_GCP_25 AVD-GCP-0059 | ${clusters} | private_cluster_config.enable_private_nodes or enable_autopilot | true`,
    'gcp-dataproc-public | A Dataproc cluster has public addresses | medium | CKV_GCP_103 | google_dataproc_cluster | cluster_config.gce_cluster_config.internal_ip_only | true',
    'gcp-notebook-public | A notebook has a public address | medium | CKV_GCP_89@google_notebooks_instance | google_notebooks_instance google_workbench_instance | no_public_ip or gce_setup.disable_public_ip | true',
    'gcp-dataflow-public | A Dataflow job has public addresses | medium | CKV_GCP_94 | google_dataflow_job | ip_configuration | one of WORKER_IP_PRIVATE',
    'gcp-data-fusion-public | A Data Fusion instance has a public address | medium | CKV_GCP_87 | google_data_fusion_instance | private_instance | true',
    'gcp-function-ingress | A function can be called from every network | low | CKV_GCP_124 | google_cloudfunctions_function | ingress_settings | one of ALLOW_INTERNAL_ONLY, ALLOW_INTERNAL_AND_GCLB',
    'gcp-bucket-unprevented | Nothing keeps a bucket from becoming public | low | CKV_GCP_114 | google_storage_bucket | public_access_prevention | one of enforced',
    'gcp-default-network | A project has the open default network | medium | CKV_GCP_27 AVD-GCP-0010 CIS-GCP-3.1 | google_project | auto_create_network | false, set',
    'gcp-bigquery-public | A BigQuery dataset is open to everyone | high | CKV_GCP_15 AVD-GCP-0046 CIS-GCP-7.1 | google_bigquery_dataset | access?.special_group or access?.iam_member | not allAuthenticatedUsers, allUsers',
    'gcp-acl-public | A bucket’s access control list lets everyone in | high | CIS-GCP-5.1 | google_storage_bucket_acl google_storage_default_object_acl | role_entity or predefined_acl | not OWNER:allUsers, READER:allUsers, WRITER:allUsers, READER:allAuthenticatedUsers, WRITER:allAuthenticatedUsers, publicRead, publicReadWrite',
  ]),
  ...terraformTable(weakAccess, [
    `gcp-primitive-role | An account may do almost everything in a project | high | CKV_GCP_117@google_project_iam_member@google_project_iam_binding CKV_GCP_49@google_project_iam_member@google_project_iam_binding CKV_GCP_115@google_organization_iam_member@google_organization_iam_binding CKV_GCP_116@google_folder_iam_member@google_folder_iam_binding AVD-GCP-0007 CIS-GCP-1.5 | ${scopes.join(' ')} | role | not roles/owner, roles/editor`,
    `gcp-act-as | An account can act as every service account | medium | CKV_GCP_41@google_project_iam_member@google_project_iam_binding CKV_GCP_44@google_folder_iam_member@google_folder_iam_binding CKV_GCP_45@google_organization_iam_member@google_organization_iam_binding AVD-GCP-0005 CIS-GCP-1.6 | ${scopes.join(' ')} | role | not roles/iam.serviceAccountUser, roles/iam.serviceAccountTokenCreator`,
    `gcp-full-scope | A machine may use every API | medium | CKV_GCP_31 CKV_GCP_30 CIS-GCP-4.2 | ${machines} | service_account?.scopes | not cloud-platform, https://www.googleapis.com/auth/cloud-platform`,
    `gcp-gke-basic-auth | A GKE cluster accepts a password | medium | AVD-GCP-0064 | ${clusters} | master_auth?.password | not set`,
    `gcp-gke-client-certificate | A GKE cluster issues client certificates | medium | CKV_GCP_13 | ${clusters} | master_auth?.client_certificate_config?.issue_client_certificate | false`,
    'gcp-redis-no-auth | A Redis instance needs no password | medium | CKV_GCP_95 | google_redis_instance | auth_enabled | true',
    `gcp-gke-no-policy | Pods of a GKE cluster may reach each other without limits | low | CKV_GCP_12 AVD-GCP-0056 | ${clusters} | network_policy.enabled or datapath_provider or enable_autopilot | true`,
  ]),
  ...terraformTable(unlogged, [
    `gcp-gke-unlogged | A GKE cluster writes no logs | medium | CKV_GCP_1 AVD-GCP-0060 | ${clusters} | logging_service | not none`,
    `gcp-gke-unmonitored | A GKE cluster is not monitored | low | CKV_GCP_8 AVD-GCP-0052 | ${clusters} | monitoring_service | not none`,
    'gcp-subnet-unlogged | Traffic of a subnet is not logged | low | CKV_GCP_26 AVD-GCP-0029 CIS-GCP-3.8 | google_compute_subnetwork unless purpose = REGIONAL_MANAGED_PROXY, INTERNAL_HTTPS_LOAD_BALANCER, GLOBAL_MANAGED_PROXY, PRIVATE_SERVICE_CONNECT | log_config | set',
    'gcp-bucket-unlogged | Access to a bucket is not logged | low | CKV_GCP_62 | google_storage_bucket | logging | set',
    'gcp-backend-unlogged | Requests to a backend are not logged | low | CIS-GCP-2.16 | google_compute_backend_service google_compute_region_backend_service | log_config | set',
    'gcp-dns-unsigned | A DNS zone is not signed | low | CKV_GCP_16 AVD-GCP-0013 CIS-GCP-3.3 | google_dns_managed_zone unless visibility = private | dnssec_config.state | one of on',
    'gcp-dns-sha1 | A DNS zone is signed with SHA-1 | low | CKV_GCP_17 AVD-GCP-0012 CIS-GCP-3.4 | google_dns_managed_zone | dnssec_config?.default_key_specs?.algorithm | not rsasha1',
  ]),
  ...terraformTable(unprotected, [
    'gcp-sql-no-backup | A Cloud SQL database has no backups | medium | CKV_GCP_14 AVD-GCP-0024 CIS-GCP-6.7 | google_sql_database_instance unless instance_type = READ_REPLICA_INSTANCE | settings.backup_configuration.enabled | true',
    'gcp-bucket-unversioned | A bucket keeps no earlier versions | low | CKV_GCP_78 AVD-GCP-0078 | google_storage_bucket | versioning.enabled or soft_delete_policy | true',
    'gcp-bigtable-deletable | A Bigtable instance can be deleted by mistake | low | CKV_GCP_122 | google_bigtable_instance | deletion_protection | true, if set',
    'gcp-spanner-deletable | A Spanner database can be deleted by mistake | low | CKV_GCP_120 | google_spanner_database | deletion_protection or enable_drop_protection | true, if set',
  ]),
  ...terraformTable(unrotated, [
    'gcp-kms-unrotated | A key is never rotated | low | CKV_GCP_43 AVD-GCP-0065 CIS-GCP-1.10 | google_kms_crypto_key unless purpose = ASYMMETRIC_SIGN, ASYMMETRIC_DECRYPT, MAC | rotation_period | set',
    'gcp-service-account-key | A key of a service account never expires by itself | low | CIS-GCP-1.4 | google_service_account_key | - Use workload identity instead of keys. | never',
  ]),
  ...terraformTable(hardening, [
    'gcp-bucket-acl-default | A Cloud Storage bucket may use per-file access control lists | low | CKV_GCP_29 AVD-GCP-0002 CIS-GCP-5.2 | google_storage_bucket | uniform_bucket_level_access or bucket_policy_only | set',
    `gcp-serial-port | The serial console of a machine is open | medium | CKV_GCP_35 AVD-GCP-0032 CIS-GCP-4.5 | ${machines} | metadata.serial-port-enable | false`,
    `gcp-os-login | Logins to a machine bypass the accounts of Google Cloud | low | CKV_GCP_34@google_compute_instance@google_compute_instance_template@google_compute_instance_from_template CKV_GCP_33@google_compute_project_metadata AVD-GCP-0042 CIS-GCP-4.4 | ${machines} google_compute_project_metadata | metadata.enable-oslogin | true, if set`,
    `gcp-project-keys | SSH keys of the project open a machine | low | CKV_GCP_32 AVD-GCP-0030 CIS-GCP-4.3 | ${machines} | metadata.block-project-ssh-keys | true`,
    `gcp-ip-forwarding | A machine forwards foreign traffic | low | CKV_GCP_36 AVD-GCP-0043 CIS-GCP-4.6 | ${machines} | can_ip_forward | false`,
    `gcp-not-shielded | A machine starts without checks of its boot | low | CKV_GCP_39 AVD-GCP-0041 AVD-GCP-0045 CIS-GCP-4.8 | ${machines} | shielded_instance_config | set`,
    'gcp-subnet-private-access | Machines of a subnet reach Google’s services over the Internet | low | CKV_GCP_74 | google_compute_subnetwork unless purpose = REGIONAL_MANAGED_PROXY, INTERNAL_HTTPS_LOAD_BALANCER, GLOBAL_MANAGED_PROXY, PRIVATE_SERVICE_CONNECT | private_ip_google_access | true',
    `gcp-gke-metadata | Pods can read the credentials of their node | medium | CKV_GCP_69 AVD-GCP-0057 | ${clusters} | workload_identity_config or enable_autopilot | set`,
    `gcp-gke-not-shielded | Nodes of a GKE cluster start without checks | low | CKV_GCP_71 | ${clusters} | enable_shielded_nodes | true, if set`,
    `gcp-gke-binaries | A GKE cluster runs images from everywhere | low | CKV_GCP_66 | ${clusters} | binary_authorization.evaluation_mode or enable_binary_authorization | not DISABLED, set`,
    `gcp-node-metadata | Pods of a node pool can read the credentials of their node | low | CKV_GCP_69 AVD-GCP-0057 | ${pools} | node_config.workload_metadata_config.mode or node_config.workload_metadata_config.node_metadata | one of GKE_METADATA, GKE_METADATA_SERVER, SECURE`,
    `gcp-node-boot | Nodes of a pool start without checks of their boot | low | CKV_GCP_68 | ${pools} | node_config.shielded_instance_config.enable_secure_boot | true`,
  ]),
  ...terraformTable(unchecked, [
    `gcp-node-repair | Broken nodes of a pool are not repaired | low | CKV_GCP_9 AVD-GCP-0063 | ${pools} | management.auto_repair | true`,
    `gcp-node-upgrade | Nodes of a pool are not upgraded | low | CKV_GCP_10 AVD-GCP-0058 | ${pools} | management.auto_upgrade | true`,
    `gcp-gke-channel | A GKE cluster is not upgraded by itself | low | CKV_GCP_70 | ${clusters} | release_channel | set`,
  ]),
];
