data "aws_ami" "linux" {
  most_recent = true
  owners      = ["amazon"]
}
resource "aws_instance" "web" {
  ami                         = data.aws_ami.linux.id
  instance_type               = "t3.micro"
  associate_public_ip_address = true
  subnet_id                   = aws_subnet.public[0].id
  user_data                   = <<EOT
#!/bin/bash
export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
EOT
}
resource "aws_instance" "worker" {
  ami           = data.aws_ami.linux.id
  instance_type = "t3.micro"
  metadata_options {
    http_tokens = "optional"
  }
  root_block_device {
    encrypted = true
  }
}
resource "aws_launch_configuration" "fleet" {
  image_id      = data.aws_ami.linux.id
  instance_type = "t3.micro"
}
resource "aws_launch_template" "fleet" {
  image_id = data.aws_ami.linux.id
  network_interfaces {
    associate_public_ip_address = true
  }
}
resource "aws_lambda_function" "mailer" {
  function_name = "mailer"
  role          = aws_iam_role.mailer.arn
  handler       = "index.handler"
  runtime       = "nodejs20.x"
  filename      = "mailer.zip"
  environment {
    variables = {
      access_key = "AKIAIOSFODNN7EXAMPLE"
      secret_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    }
  }
}
resource "aws_lambda_function_url" "mailer" {
  function_name      = aws_lambda_function.mailer.function_name
  authorization_type = "NONE"
}
resource "aws_lambda_permission" "any" {
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.mailer.function_name
  principal     = "*"
}
resource "aws_eks_cluster" "main" {
  name     = "main"
  role_arn = aws_iam_role.mailer.arn
  vpc_config {
    subnet_ids             = aws_subnet.public[*].id
    endpoint_public_access = true
  }
}
resource "aws_eks_node_group" "main" {
  cluster_name    = aws_eks_cluster.main.name
  node_role_arn   = aws_iam_role.mailer.arn
  subnet_ids      = aws_subnet.public[*].id
  node_group_name = "main"
  remote_access {
    ec2_ssh_key = "ops"
  }
  scaling_config {
    desired_size = 1
    max_size     = 1
    min_size     = 1
  }
}
resource "aws_ecs_cluster" "apps" {
  name = "apps"
}
resource "aws_ecs_service" "api" {
  name            = "api"
  cluster         = aws_ecs_cluster.apps.id
  task_definition = aws_ecs_task_definition.api.arn
  network_configuration {
    subnets          = aws_subnet.public[*].id
    assign_public_ip = true
  }
}
resource "aws_ecs_task_definition" "api" {
  family = "api"
  container_definitions = jsonencode([
    { name = "api", image = "acme/api:latest", privileged = true }
  ])
  volume {
    name = "data"
    efs_volume_configuration {
      file_system_id = aws_efs_file_system.shared.id
    }
  }
}
resource "aws_ecr_repository" "api" {
  name                 = "api"
  image_tag_mutability = "MUTABLE"
}
resource "aws_codebuild_project" "build" {
  name         = "build"
  service_role = aws_iam_role.mailer.arn
  artifacts {
    type                = "S3"
    location            = "x"
    encryption_disabled = true
  }
  environment {
    compute_type    = "BUILD_GENERAL1_SMALL"
    image           = "aws/codebuild/standard:7.0"
    type            = "LINUX_CONTAINER"
    privileged_mode = true
  }
  source {
    type = "NO_SOURCE"
  }
}
resource "aws_sagemaker_notebook_instance" "lab" {
  name          = "lab"
  role_arn      = aws_iam_role.mailer.arn
  instance_type = "ml.t2.medium"
}
