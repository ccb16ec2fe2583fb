import {
  exposed,
  hardening,
  inTransit,
  oldTls,
  ownKey,
  reachable,
  unencrypted,
  unlogged,
  unprotected,
  unrotated,
  weakAccess,
} from './families.ts';
import { terraformTable } from './terraform-table.ts';

const apps = 'azurerm_linux_web_app azurerm_windows_web_app azurerm_app_service';
const functions = 'azurerm_linux_function_app azurerm_windows_function_app azurerm_function_app';
const flexible = 'azurerm_postgresql_flexible_server azurerm_mysql_flexible_server';
const scaleSets = 'azurerm_linux_virtual_machine_scale_set azurerm_windows_virtual_machine_scale_set';

/** Settings of Azure’s resources. */
export const terraformAzureRules = [
  ...terraformTable(
    unencrypted,
    `
    azure-disk-unencrypted | The encryption of an Azure disk is switched off | azurerm_managed_disk azurerm_snapshot | encryption_settings?.enabled | true, if set | CKV_AZURE_2 AVD-AZU-0038
    azure-vm-host-unencrypted | Caches and temporary disks of an Azure machine are not encrypted | azurerm_linux_virtual_machine azurerm_windows_virtual_machine ${scaleSets} | encryption_at_host_enabled | true | CKV_AZURE_151 CKV_AZURE_97 | low
    azure-automation-unencrypted | A variable of Azure Automation is not encrypted | azurerm_automation_variable_string azurerm_automation_variable_int azurerm_automation_variable_bool azurerm_automation_variable_datetime | encrypted | true | CKV_AZURE_73
    azure-synapse-unencrypted | A Synapse SQL pool is not encrypted | azurerm_synapse_sql_pool | data_encrypted | true | CKV_AZURE_241
    azure-sql-unencrypted | The encryption of an Azure SQL database is switched off | azurerm_mssql_database | transparent_data_encryption_enabled | true, if set | CIS-Azure-4.1.5
  `,
  ),
  ...terraformTable(
    ownKey,
    `
    azure-disk-own-key | An Azure disk has no key of its own | azurerm_managed_disk | disk_encryption_set_id or secure_vm_disk_encryption_set_id | set | CKV_AZURE_93
    azure-aks-own-key | Disks of an AKS cluster have no key of their own | azurerm_kubernetes_cluster | disk_encryption_set_id | set | CKV_AZURE_117
    azure-cosmos-own-key | A Cosmos DB account has no key of its own | azurerm_cosmosdb_account | key_vault_key_id | set | CKV_AZURE_100
    azure-data-factory-own-key | A data factory has no key of its own | azurerm_data_factory | customer_managed_key_id | set | CKV_AZURE_103
    azure-eventhub-own-key | An Event Hubs namespace has no identity for a key of its own | azurerm_eventhub_namespace azurerm_servicebus_namespace | identity | set | CKV_AZURE_202
    azure-kusto-unencrypted | A Data Explorer cluster does not encrypt its disks | azurerm_kusto_cluster | disk_encryption_enabled or enable_disk_encryption | true | CKV_AZURE_74
    azure-batch-own-key | A Batch account has no key of its own | azurerm_batch_account | encryption | set | CKV_AZURE_76
  `,
  ),
  ...terraformTable(
    inTransit,
    `
    azure-storage-plain-http | An Azure storage account allows plain http | azurerm_storage_account | enable_https_traffic_only | true, if set | CKV_AZURE_3 AVD-AZU-0008 CIS-Azure-3.1
    azure-app-http | A web app accepts plain http | ${apps} | https_only | true | CKV_AZURE_14 AVD-AZU-0004
    azure-function-http | A function app accepts plain http | ${functions} | https_only | true | CKV_AZURE_70 AVD-AZU-0004
    azure-mysql-plain | A MySQL server accepts plain connections | azurerm_mysql_server azurerm_mariadb_server | ssl_enforcement_enabled | true | CKV_AZURE_28 CKV_AZURE_47 AVD-AZU-0020
    azure-postgresql-plain | A PostgreSQL server accepts plain connections | azurerm_postgresql_server | ssl_enforcement_enabled | true | CKV_AZURE_29 AVD-AZU-0020
    azure-redis-plain | A Redis cache accepts plain connections | azurerm_redis_cache | non_ssl_port_enabled or enable_non_ssl_port | false | CKV_AZURE_91
    azure-app-ftp | A web app accepts plain FTP | ${apps} ${functions} | site_config.ftps_state | not AllAllowed | CKV_AZURE_78
    azure-cdn-http | A CDN endpoint serves without TLS | azurerm_cdn_endpoint | is_http_allowed | false, set | CKV_AZURE_197
  `,
  ),
  ...terraformTable(
    oldTls,
    `
    azure-app-old-tls | A web app accepts old versions of TLS | ${apps} ${functions} | site_config.minimum_tls_version or site_config.min_tls_version | not 1.0, 1.1 | CKV_AZURE_15 CKV_AZURE_145 AVD-AZU-0006
    azure-sql-old-tls | An Azure SQL server accepts old versions of TLS | azurerm_mssql_server | minimum_tls_version | not 1.0, 1.1, Disabled | CKV_AZURE_52 AVD-AZU-0026
    azure-database-old-tls | A database server accepts old versions of TLS | azurerm_mysql_server azurerm_postgresql_server azurerm_mariadb_server | ssl_minimal_tls_version_enforced | one of TLS1_2, TLS1_3 | CKV_AZURE_54 CKV_AZURE_147
    azure-redis-old-tls | A Redis cache accepts old versions of TLS | azurerm_redis_cache | minimum_tls_version | one of 1.2, 1.3 | CKV_AZURE_148
    azure-bus-old-tls | A message broker accepts old versions of TLS | azurerm_servicebus_namespace azurerm_eventhub_namespace | minimum_tls_version | not 1.0, 1.1 | CKV_AZURE_205
    azure-gateway-old-tls | An application gateway accepts old versions of TLS | azurerm_application_gateway | ssl_policy.policy_name or ssl_policy.min_protocol_version | one of AppGwSslPolicy2022*, TLSv1_2, TLSv1_3 | CKV_AZURE_218
  `,
  ),
  ...terraformTable(
    exposed,
    `
    azure-network-rules-open | The network rules of a storage account allow everything | azurerm_storage_account_network_rules | default_action | one of Deny | CKV_AZURE_35 AVD-AZU-0012 CIS-Azure-3.8 | medium
    azure-sql-firewall-open | A database’s firewall lets every address in | azurerm_mssql_firewall_rule azurerm_sql_firewall_rule azurerm_mysql_firewall_rule azurerm_postgresql_firewall_rule azurerm_postgresql_flexible_server_firewall_rule azurerm_mysql_flexible_server_firewall_rule azurerm_mariadb_firewall_rule azurerm_redis_firewall_rule where start_ip_address = 0.0.0.0 | end_ip_address | not 255.255.255.255 | CKV_AZURE_11 AVD-AZU-0029 CIS-Azure-6.3
    azure-container-public-ip | A container group has a public address | azurerm_container_group | ip_address_type | one of Private, None | CKV_AZURE_245 CKV_AZURE_98 | medium
    azure-app-debugging | Remote debugging of a web app is on | ${apps} ${functions} | site_config.remote_debugging_enabled | false | CKV_AZURE_72 | medium
  `,
  ),
  ...terraformTable(
    reachable,
    `
    azure-sql-public | An Azure SQL server can be reached from every network | azurerm_mssql_server | public_network_access_enabled | false, set | CKV_AZURE_113 AVD-AZU-0022
    azure-database-public | A database server can be reached from every network | azurerm_mysql_server azurerm_postgresql_server azurerm_mariadb_server | public_network_access_enabled | false, set | CKV_AZURE_53 CKV_AZURE_68 CKV_AZURE_48 AVD-AZU-0022
    azure-flexible-public | A flexible database server can be reached from every network | ${flexible} | public_network_access_enabled or delegated_subnet_id | false, set | CKV2_AZURE_57 AVD-AZU-0022
    azure-cosmos-public | A Cosmos DB account can be reached from every network | azurerm_cosmosdb_account | public_network_access_enabled or is_virtual_network_filter_enabled or ip_range_filter | false, set | CKV_AZURE_101 CKV_AZURE_99
    azure-redis-public | A Redis cache can be reached from every network | azurerm_redis_cache | public_network_access_enabled or subnet_id | false, set | CKV_AZURE_89
    azure-vault-public | A key vault can be reached from every network | azurerm_key_vault | network_acls.default_action or public_network_access_enabled | one of Deny, false | CKV_AZURE_109 CKV_AZURE_189 AVD-AZU-0013
    azure-aks-public | The API of an AKS cluster is open to the Internet | azurerm_kubernetes_cluster | private_cluster_enabled or api_server_access_profile.authorized_ip_ranges or api_server_authorized_ip_ranges | true | CKV_AZURE_6 CKV_AZURE_115 AVD-AZU-0041
    azure-registry-public | A container registry can be reached from every network | azurerm_container_registry | public_network_access_enabled or network_rule_set | false, set | CKV_AZURE_139
    azure-service-public | A service can be reached from every network | azurerm_search_service azurerm_cognitive_account azurerm_machine_learning_workspace azurerm_databricks_workspace azurerm_eventgrid_domain azurerm_eventgrid_topic azurerm_app_configuration azurerm_iothub azurerm_batch_account azurerm_synapse_workspace azurerm_automation_account azurerm_purview_account | public_network_access_enabled | false, set | CKV_AZURE_124 CKV_AZURE_134 CKV_AZURE_144 CKV_AZURE_158 CKV_AZURE_106 CKV_AZURE_185 CKV_AZURE_108
    azure-data-factory-public | A data factory can be reached from every network | azurerm_data_factory | public_network_enabled | false, set | CKV_AZURE_104
    azure-eventhub-public | A message broker can be reached from every network | azurerm_servicebus_namespace azurerm_eventhub_namespace | public_network_access_enabled or network_rule_set or network_rulesets | false, set | CKV_AZURE_204
    azure-interface-public | A network interface has a public address | azurerm_network_interface | ip_configuration.public_ip_address_id | not set | CKV_AZURE_119
    azure-function-cors | Every site may call a function app | ${functions} | site_config.cors?.allowed_origins | not * | CKV_AZURE_62
    azure-app-cors | Every site may call a web app | ${apps} | site_config.cors?.allowed_origins | not * | CKV_AZURE_57
    azure-disk-public | A disk can be exported over every network | azurerm_managed_disk | public_network_access_enabled or network_access_policy | false, set | CKV_AZURE_251 | low
  `,
  ),
  ...terraformTable(
    weakAccess,
    `
    azure-sql-no-directory | People sign in to an Azure SQL server with passwords of its own | azurerm_mssql_server | azuread_administrator | set | CKV2_AZURE_27 | low
    azure-aks-no-rbac | An AKS cluster does not use roles | azurerm_kubernetes_cluster | role_based_access_control_enabled | true, if set | CKV_AZURE_5 AVD-AZU-0042
    azure-aks-old-rbac | An AKS cluster does not use roles (older setting) | azurerm_kubernetes_cluster | role_based_access_control?.enabled | true | CKV_AZURE_5 AVD-AZU-0042
    azure-aks-local | An AKS cluster has local accounts | azurerm_kubernetes_cluster | local_account_disabled | true | CKV_AZURE_141 | low
    azure-registry-admin | A container registry has an admin account | azurerm_container_registry | admin_enabled | false | CKV_AZURE_137
    azure-registry-anonymous | Anyone can fetch images of a registry | azurerm_container_registry | anonymous_pull_enabled | false | CKV_AZURE_138 | high
    azure-role-everything | A role allows every action | azurerm_role_definition | permissions.actions | not * | CKV_AZURE_39 AVD-AZU-0030 CIS-Azure-1.23 | high
    azure-cosmos-keys | A Cosmos DB account accepts keys besides identities | azurerm_cosmosdb_account | local_authentication_disabled or local_authentication_enabled | true | CKV_AZURE_140 | low
    azure-storage-keys | An Azure storage account accepts its shared keys | azurerm_storage_account | shared_access_key_enabled | false, set | CKV2_AZURE_40 | low
    azure-bus-keys | A message broker accepts its shared keys | azurerm_servicebus_namespace azurerm_eventhub_namespace | local_auth_enabled or local_authentication_enabled | false, set | CKV_AZURE_203 | low
    azure-scale-set-password | Machines of a scale set allow password logins | azurerm_linux_virtual_machine_scale_set azurerm_virtual_machine_scale_set | disable_password_authentication or os_profile_linux_config.disable_password_authentication | true, if set | CKV_AZURE_49
    azure-old-vm-password | An Azure machine accepts passwords | azurerm_virtual_machine | os_profile_linux_config?.disable_password_authentication | true | CKV_AZURE_1
  `,
  ),
  ...terraformTable(
    unlogged,
    `
    azure-aks-unlogged | An AKS cluster is not monitored | azurerm_kubernetes_cluster | oms_agent or addon_profile.oms_agent or monitor_metrics | set | CKV_AZURE_4 AVD-AZU-0040
    azure-flow-retention | Flow logs are kept for less than 90 days | azurerm_network_watcher_flow_log | retention_policy.days | >= 90 | CKV_AZURE_12 AVD-AZU-0049 CIS-Azure-6.5
    azure-profile-retention | Activity logs are kept for less than a year | azurerm_monitor_log_profile | retention_policy.days | >= 365 | CKV_AZURE_37 AVD-AZU-0031
    azure-app-unlogged | A web app keeps no request log | ${apps} | logs.http_logs | set | CKV_AZURE_63
    azure-postgresql-checkpoints | A log setting of PostgreSQL is off | azurerm_postgresql_configuration azurerm_postgresql_flexible_server_configuration where name = log_checkpoints, log_connections, log_disconnections, connection_throttling, log_retention_days | value | not off | CKV_AZURE_30 CKV_AZURE_31 CKV_AZURE_32 AVD-AZU-0019 AVD-AZU-0021 AVD-AZU-0024
    azure-alert-disabled | Some threats to a database raise no alert | azurerm_mssql_server_security_alert_policy azurerm_mssql_database_security_alert_policy | disabled_alerts | not set | CKV_AZURE_25 AVD-AZU-0028 CIS-Azure-4.2.2
    azure-alert-mail | Threats to a database are mailed to no one | azurerm_mssql_server_security_alert_policy | email_account_admins or email_addresses | true | CKV_AZURE_26 CKV_AZURE_27 AVD-AZU-0018
    azure-alert-off | The detection of threats to a database is off | azurerm_mssql_server_security_alert_policy | state | one of Enabled | CKV_AZURE_25 | medium
    azure-sql-threats | The detection of threats to an Azure SQL server is off | azurerm_sql_server | threat_detection_policy.state | one of Enabled | CKV_AZURE_25
    azure-database-threats | Threats to a database server are not detected | azurerm_mysql_server azurerm_postgresql_server | threat_detection_policy.enabled | true | CKV_AZURE_127 CKV_AZURE_128
    azure-contact-alerts | Security alerts are mailed to no one | azurerm_security_center_contact | alert_notifications | true | CKV_AZURE_21 AVD-AZU-0044 CIS-Azure-2.14
    azure-contact-admins | Security alerts are not mailed to administrators | azurerm_security_center_contact | alerts_to_admins | true | CKV_AZURE_22 AVD-AZU-0044
    azure-contact-phone | The security contact has no telephone number | azurerm_security_center_contact | phone | set | CKV_AZURE_20 AVD-AZU-0046
    azure-defender-free | Microsoft Defender watches only the minimum | azurerm_security_center_subscription_pricing | tier | one of Standard | CKV_AZURE_19 AVD-AZU-0045 CIS-Azure-2.1
    azure-sql-recurring | Vulnerability scans of a database do not recur | azurerm_mssql_server_vulnerability_assessment | recurring_scans.enabled | true | CKV2_AZURE_3 CIS-Azure-4.2.3
    azure-sql-recurring-mail | Vulnerability scans of a database are mailed to no administrator | azurerm_mssql_server_vulnerability_assessment | recurring_scans.email_subscription_admins or recurring_scans.emails | true | CKV2_AZURE_5 CIS-Azure-4.2.5
  `,
  ),
  ...terraformTable(
    unprotected,
    `
    azure-vault-purgeable | A deleted key vault is lost at once | azurerm_key_vault | purge_protection_enabled | true | CKV_AZURE_110 CKV_AZURE_42 AVD-AZU-0016
    azure-database-no-copies | Backups of a database server are in one region only | azurerm_mysql_server azurerm_postgresql_server azurerm_mariadb_server ${flexible} | geo_redundant_backup_enabled | true | CKV_AZURE_94 CKV_AZURE_102 CKV_AZURE_136 CKV_AZURE_129
    azure-sql-one-zone | An Azure SQL database is in one zone only | azurerm_mssql_database | zone_redundant | true | CKV_AZURE_229 | info
    azure-sql-no-ledger | Changes of an Azure SQL database can’t be proven | azurerm_mssql_database | ledger_enabled | true | CKV_AZURE_224 | info
  `,
  ),
  ...terraformTable(
    unrotated,
    `
    azure-key-forever | A key never expires | azurerm_key_vault_key | expiration_date or rotation_policy | set | CKV_AZURE_112 AVD-AZU-0014
    azure-secret-forever | A secret never expires | azurerm_key_vault_secret | expiration_date | set | CKV_AZURE_41 AVD-AZU-0017
  `,
  ),
  ...terraformTable(
    hardening,
    `
    azure-aks-no-policy | Pods of an AKS cluster may reach each other without limits | azurerm_kubernetes_cluster | network_profile.network_policy | set | CKV_AZURE_7 AVD-AZU-0043
    azure-aks-dashboard | The dashboard of an AKS cluster is on | azurerm_kubernetes_cluster | addon_profile?.kube_dashboard?.enabled | false | CKV_AZURE_8 | medium
    azure-vm-extensions | Extensions of an Azure machine may change it | azurerm_linux_virtual_machine azurerm_windows_virtual_machine | allow_extension_operations | false, set | CKV_AZURE_50
    azure-ip-forwarding | A network interface forwards foreign traffic | azurerm_network_interface | ip_forwarding_enabled or enable_ip_forwarding | false | CKV_AZURE_118
    azure-gateway-no-waf | An application gateway has no firewall | azurerm_application_gateway | waf_configuration.enabled or firewall_policy_id | true | CKV_AZURE_120
    azure-frontdoor-no-waf | A front door has no firewall | azurerm_frontdoor | frontend_endpoint.web_application_firewall_policy_link_id | set | CKV_AZURE_121
    azure-firewall-silent | A firewall lets known attackers through | azurerm_firewall | threat_intel_mode | one of Deny | CKV_AZURE_216
    azure-scale-set-updates | Machines of a scale set install no updates | azurerm_windows_virtual_machine_scale_set | enable_automatic_updates or automatic_updates_enabled | true, if set | CKV_AZURE_177
    azure-api-no-network | An API gateway is in no network | azurerm_api_management | virtual_network_configuration | set | CKV_AZURE_107
    azure-synapse-no-network | A Synapse workspace has no managed network | azurerm_synapse_workspace | managed_virtual_network_enabled | true | CKV_AZURE_58
  `,
  ),
];
